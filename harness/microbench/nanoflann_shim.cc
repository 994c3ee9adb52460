/* SPDX-License-Identifier: MIT */
#include "harness/microbench/nanoflann_shim.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <nanoflann.hpp>

namespace {

struct points {
    const float *const *position;
    size_t count;
    size_t kdtree_get_point_count() const {
        return count;
    }
    float kdtree_get_pt(uint32_t i, size_t axis) const {
        return position[axis][i];
    }
    template <class Box> bool kdtree_get_bbox(Box &) const {
        return false;
    }
};

template <int dimensions>
using tree_of = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, points, float, uint32_t>, points,
                                                    dimensions, uint32_t>;

} // namespace

struct nanoflann_tree {
    const float *position[3];
    points all;
    std::unique_ptr<tree_of<2>> flat;
    std::unique_ptr<tree_of<3>> solid;
    std::vector<std::pair<uint32_t, float>> found;
    std::vector<float> distances;
};

namespace {

template <class Tree>
size_t ball(const Tree &tree, std::vector<std::pair<uint32_t, float>> &hits, const float *centre, float radius, uint32_t *found,
            size_t room) {
    const size_t count = tree.radiusSearch(centre, radius * radius, hits, nanoflann::SearchParams(32, 0, false));
    for (size_t i = 0; i < std::min(count, room); i++) found[i] = hits[i].first;
    return count;
}

} // namespace

nanoflann_tree *nanoflann_build(int dimensions, const float *const position[3], uint32_t count) {
    auto *tree = new nanoflann_tree{};
    std::copy(position, position + 3, tree->position);
    tree->all = {tree->position, count};
    if (dimensions == 2)
        tree->flat = std::make_unique<tree_of<2>>(2, tree->all, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    else
        tree->solid = std::make_unique<tree_of<3>>(3, tree->all, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    return tree;
}

void nanoflann_free(nanoflann_tree *tree) {
    delete tree;
}

size_t nanoflann_ball(nanoflann_tree *tree, const float centre[3], float radius, uint32_t *found, size_t room) {
    return tree->flat ? ball(*tree->flat, tree->found, centre, radius, found, room)
                      : ball(*tree->solid, tree->found, centre, radius, found, room);
}

size_t nanoflann_nearest(nanoflann_tree *tree, const float centre[3], uint32_t *found, uint32_t count) {
    tree->distances.resize(count);
    return tree->flat ? tree->flat->knnSearch(centre, count, found, tree->distances.data())
                      : tree->solid->knnSearch(centre, count, found, tree->distances.data());
}
