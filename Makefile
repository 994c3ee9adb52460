# SPDX-License-Identifier: MIT
# The front door: each target does everything that it needs, beginning with the packages a fresh Debian 12 lacks. The build itself
# is CMake's (CMakeLists.txt, CMakePresets.json).

PREFIX ?= /usr/local
build_packages = cmake ninja-build gcc libc6-dev pkg-config libsimde-dev libxxhash-dev libyaml-dev libpng-dev libcairo2-dev libpopt-dev \
    libhwloc-dev libjansson-dev libhdf5-dev zlib1g-dev
microbench_packages = $(build_packages) g++ libbenchmark-dev
test_packages = $(build_packages) g++ make binutils libcmocka-dev locales gnuplot-nox clang-format-14 doxygen ffmpeg luajit python3-jsonschema \
    python3-yaml groff-base mandoc $(python_packages) python3-pytest mypy
python_packages = python3-dev python3-cffi python3-numpy python3-setuptools python3-wheel python3-pip python3-venv
deb_packages = $(build_packages) $(python_packages) libopenmpi-dev build-essential debhelper dh-python
deb_test_packages = $(deb_packages) lintian mmdebstrap abigail-tools zsh fish
notebook_packages = python3-matplotlib python3-pandas python3-scipy python3-numba python3-nbclient python3-nbformat python3-ipykernel
python_test_packages = $(test_packages) $(notebook_packages) python3-xarray python3-h5py
mpi_packages = libopenmpi-dev openmpi-bin
# Both implementations of MPI that Debian has: the nightly tests try dunlin-mpi with each.
both_mpi_packages = $(mpi_packages) libmpich-dev mpich
# On an Arm machine the release build is the aarch64 build.
ifneq ($(shell uname -m),aarch64)
aarch64 = aarch64
aarch64_packages = gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
endif
clang_packages = $(test_packages) libbenchmark-dev clang libomp-dev
tsan_packages = $(clang_packages) libclang-rt-14-dev

fuzz_packages = $(tsan_packages) llvm
# Other people's readers of the files that the program writes.
files_packages = $(build_packages) python3-h5py python3-netcdf4 python3-mdanalysis python3-ase python3-gsd python3-pandas \
    python3-paraview hdf5-tools lammps
# Other hosts of the library.
host_packages = libsdl2-dev mono-mcs mono-runtime r-base-core
wasm_packages = cmake ninja-build gcc libc6-dev pkg-config libsimde-dev libxxhash-dev emscripten nodejs
page_packages = $(wasm_packages) npm
amalgamation_packages = gcc libc6-dev libxxhash-dev python3
site_packages = doxygen python3-sphinx furo python3-myst-parser python3-breathe python3-pycparser python3-numpy

# Without these the tests in them are skipped, which is a failure in CI.
install_browsers = cmake/install_packages.sh chromium firefox-esr xvfb xauth || test -z "$$CI"
install_readers = cmake/install_packages.sh $(files_packages) || test -z "$$CI"
install_site = cmake/install_packages.sh $(site_packages) || test -z "$$CI"
install_python = cmake/install_packages.sh $(python_test_packages) || test -z "$$CI"

# Where make page-serve and make site-serve serve.
PORT ?= 8123

# How long make fuzz runs each fuzzer, how long make soak runs worlds, and how many scenes, and scenarios, make soak-parts runs.
SECONDS ?= 60
MINUTES ?= 60
SCENES ?= 10000

# What make microbench measures, in about a minute. FILTER=. is everything.
FILTER ?= kernel/.*/flock/neighbours:20$$

# How many ranks make run-mpi starts.
RANKS ?= 2

.PHONY: help build run run-mpi gallery indices chart bench microbench scale scale-quick validate test test-all test-nightly \
    test-asan-ubsan test-aarch64 test-wasm test-page test-clang test-tsan test-mpi test-files test-python test-faults page page-serve npm site \
    site-serve python wheel notebooks amalgamation dist deb release-check fuzz fuzz-coverage soak soak-parts install uninstall clean
.NOTPARALLEL:

help:
	@echo "make run           build, run harness/scenarios/default.yaml, leave build/flock.png and build/flock.csv"
	@echo "make run-mpi       a million agents on RANKS=$(RANKS) processes, by MPI"
	@echo "make python        the Python package, in build/python/venv"
	@echo "make notebooks     the examples in Python as notebooks with their pictures, in build/notebooks; takes two minutes"
	@echo "make wheel         the same as a wheel for other machines, in build/python"
	@echo "make page          the live page, build/page: a folder that any web server can serve"
	@echo "make page-serve    ... and serve it at http://localhost:$(PORT)/; PORT=$(PORT)"
	@echo "make amalgamation  the library as one file and one header for projects of any kind, in build/amalgamation"
	@echo "make dist          the sources, and the library as one file, as two tarballs in build"
	@echo "make deb           Debian's packages, in build/deb; builds everything again"
	@echo "make release-check whether these sources may be released: version, changelog, binary interface, one file; a line per check"
	@echo "make site          the whole public face as one folder for any static host, build/site: guides, references, gallery, page, npm package"
	@echo "make site-serve    ... and serve it at http://localhost:$(PORT)/"
	@echo "make npm           pack the npm package dunlin into build/npm"
	@echo "make gallery       run every shipped scenario, leave docs/gallery.md and its pictures, and those of the README with its film"
	@echo "make indices       time the grid and the tree side by side, leave the plots of docs/indices.md; takes about three minutes"
	@echo "make chart         measure kernels beside baselines on one thread, and draw the README's chart; takes three minutes"
	@echo "make bench         measure this machine against what Dunlin promises; takes three to five minutes"
	@echo "make microbench    measure kernels one by one; FILTER=kernel/avx2 picks others"
	@echo "make scale         how the speed scales on this machine: tables, plots and a report in a folder scale-DATE-TIME"
	@echo "make scale-quick   the same in two minutes, with small flocks"
	@echo "make validate      run the studies of docs/validation.md, which expect published figures; takes five minutes, can be interrupted"
	@echo "make test          the tests of the release build: kernels, engine, files, program; takes seven minutes on two cores"
	@echo "make test-all      sanitizers, aarch64 under emulation, WebAssembly, the page, other projects' readers of files, Python, without what takes long"
	@echo "make test-nightly  everything with all its rounds, a release build by clang, the site, emulated kernels, two MPIs, fuzzers; takes hours"
	@echo "make build         the program, build/dunlin, and the libraries"
	@echo "make install       ... into PREFIX, now $(PREFIX)"
	@echo "make uninstall     removes what make install has installed last"
	@echo "make test-asan-ubsan, test-aarch64, test-wasm, test-page, test-clang, test-tsan, test-files, test-python    a part of them"
	@echo "make test-mpi      dunlin-mpi and its library, by Open MPI and MPICH"
	@echo "make test-faults   break the sources in some fifty ways, one by one, and see tests fail; FAULTS=\"grid_seam merge_order\" are two of them"
	@echo "make fuzz          feed each reader and the public header malformed and random input, sanitized; SECONDS=60 each"
	@echo "make fuzz-coverage what no fuzzer's input reaches, in build/coverage"
	@echo "make soak          run random worlds for MINUTES=60: states must repeat, memory must not grow"
	@echo "make soak-parts    run SCENES=10000 random worlds and as many scenarios in parts: each must be that of one world, bit for bit"
	@echo "make clean         remove build/"

build:
	@cmake/install_packages.sh $(build_packages)
	@test -e build/build.ninja || cmake --preset release -DDUNLIN_BUILD_TESTS=OFF -DDUNLIN_BUILD_BENCHMARKS=OFF
	@cmake --build build --target dunlin_product

run-mpi:
	@cmake/install_packages.sh $(build_packages) $(mpi_packages)
	@cmake --preset release -DDUNLIN_BUILD_TESTS=OFF -DDUNLIN_BUILD_BENCHMARKS=OFF -DDUNLIN_MPI=ON >/dev/null
	@cmake --build build --target dunlin_product dunlin-mpi
	tests/mpi/launch.sh openmpi $(RANKS) build/dunlin-mpi run million --steps 100 --threads 1

run: build
	build/dunlin run harness/scenarios/default.yaml --picture build/flock.png --metrics build/flock.csv

page: build
page npm:
	@cmake/install_packages.sh $(page_packages)
	@harness/page/make.sh $@

page-serve: page
	@node harness/page/serve.mjs build/page $(PORT)

site: page npm
	@cmake/install_packages.sh $(site_packages)
	@docs/site/make.py build

site-serve: site
	@node harness/page/serve.mjs build/site $(PORT)

# The package in an environment of its own, with Debian's NumPy and cffi; and as a wheel for other machines.
python:
	@cmake/install_packages.sh $(build_packages) $(python_packages)
	/usr/bin/python3 -m venv --system-site-packages build/python/venv
	@echo "building the engine for Python, which takes two or three minutes"
	@build/python/venv/bin/pip install --quiet --no-build-isolation --no-deps ./harness/python
	@echo "build/python/venv/bin/python has dunlin"

wheel:
	@cmake/install_packages.sh $(build_packages) $(python_packages)
	/usr/bin/python3 -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir build/python ./harness/python

amalgamation:
	@cmake/install_packages.sh $(amalgamation_packages)
	cmake/amalgamate.py build/amalgamation

dist:
	@cmake/install_packages.sh $(amalgamation_packages)
	@cmake/make_dist.sh build

deb:
	@cmake/install_packages.sh $(deb_packages)
	@cmake/make_deb.sh build/deb

# abidiff compares types, which only debug information has. What is not optimised compiles sooner, and only Debug has this machine's paths.
abi_libraries = $(CURDIR)/build/abi/engine/libdunlin.so $(CURDIR)/build/abi/harness/scenario/libdunlin-scenario.so
define build_abi
@cmake/install_packages.sh $(build_packages) python3 abigail-tools g++ clang
@cmake -S . -B build/abi -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O0 -g" \
    -DDUNLIN_OPTIMISE_KERNELS=OFF -DDUNLIN_BUILD_TESTS=OFF -DDUNLIN_BUILD_PROGRAM=OFF -DDUNLIN_MPI=OFF >/dev/null
@cmake --build build/abi --target dunlin dunlin_static dunlin_scenario
endef
release-check:
	$(build_abi)
	@cmake/check_release.py $(abi_libraries)
	@tests/install/test_amalgamation.sh $(CURDIR) $(CURDIR)/build/abi/amalgamation $(CURDIR)/build/abi/engine/libdunlin.a

# docs/images/python has the pictures, through pngquant.
notebooks: python
	@cmake/install_packages.sh $(notebook_packages)
	PYDEVD_DISABLE_FILE_VALIDATION=1 build/python/venv/bin/python docs/examples/python/to_notebook.py build/notebooks

gallery: build
	@cmake/install_packages.sh gnuplot-nox pngquant ffmpeg
	harness/make_gallery.sh build/dunlin docs/gallery.md docs/images/gallery
	build/dunlin run default --quiet --picture docs/images/flock.png
	pngquant --force --ext .png docs/images/flock.png
	build/dunlin run predators --quiet --steps 240 --final build/predators.csv
	build/dunlin run predators --quiet --init build/predators.csv --steps 200 --film docs/images/film.webp --size 720 \
	    --every 2 --fps 16 --trail 6

indices: build
	@cmake/install_packages.sh gnuplot-nox
	harness/compare_indices.sh build/dunlin docs/images/indices

chart: build
	@cmake/install_packages.sh gnuplot-nox
	rm -f docs/images/kernels.csv
	build/dunlin bench frame --threads 1 --kernel all --steps 3 --repeat 7 --csv docs/images/kernels.csv
	cd docs/images && gnuplot speed.gp

bench: build
	build/dunlin bench targets

scale scale-quick: build
	@cmake/install_packages.sh gnuplot-nox
	build/dunlin scale $(if $(filter %-quick,$@),--quick)

# Studies that know the published figures: those of docs/validation.md.
validated = vicsek_1995 vicsek_1995_4000 vicsek_all_to_all couzin_2002 matching_frameworks
validate: build
	@for study in $(validated); do build/dunlin sweep $$study --no-plots --output build/validation/$$study || exit 1; done

microbench:
	@cmake/install_packages.sh $(microbench_packages)
	@test -e build/build.ninja || cmake --preset release -DDUNLIN_BUILD_TESTS=OFF
	@cmake -B build -DDUNLIN_BUILD_BENCHMARKS=ON >/dev/null
	@cmake --build build --target dunlin_microbench
	build/dunlin_microbench --benchmark_filter='$(FILTER)' --benchmark_out=build/microbench.json

test:
	@cmake/install_packages.sh $(test_packages) $(mpi_packages)
	@cmake/run_tests.sh release

# One run_tests.sh for all presets: what failed, and the sums, stand at the end.
test-all: build
	@cmake/install_packages.sh $(tsan_packages) $(aarch64_packages) $(page_packages)
	@$(install_browsers)
	@$(install_readers)
	@$(install_python)
	@cmake/run_tests.sh asan-ubsan $(aarch64) wasm page+files python tsan

test-nightly: build
	@cmake/install_packages.sh $(tsan_packages) $(microbench_packages) $(both_mpi_packages) $(deb_test_packages) $(aarch64_packages) $(page_packages) $(host_packages)
	@$(install_browsers)
	@$(install_site)
	@$(install_readers)
	@$(install_python)
	@cmake/run_tests.sh --nightly release asan-ubsan $(aarch64) wasm wasm-threads page+files+site python clang tsan
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory soak MINUTES=5
	$(build_abi)
	@tests/program/check_release.sh $(CURDIR) $(CURDIR)/build/abi/check $(abi_libraries)
	@$(MAKE) --no-print-directory gallery
	git diff --exit-code --stat docs

test-asan-ubsan:
	@cmake/install_packages.sh $(test_packages)
	@cmake/run_tests.sh asan-ubsan

test-aarch64:
	@cmake/install_packages.sh $(test_packages) $(aarch64_packages)
	@cmake/run_tests.sh aarch64

test-mpi:
	@cmake/install_packages.sh $(test_packages) $(both_mpi_packages)
	@cmake --preset release -DDUNLIN_BUILD_TESTS=ON -DDUNLIN_NIGHTLY=ON -DDUNLIN_MPI=ON >/dev/null
	@cmake --build build
	@ctest --test-dir build -L mpi --output-on-failure

test-wasm:
	@cmake/install_packages.sh $(wasm_packages)
	@cmake/run_tests.sh wasm wasm-threads

test-page: build
	@cmake/install_packages.sh $(page_packages)
	@$(install_browsers)
	@$(install_site)
	@cmake/run_tests.sh page+site

test-clang:
	@cmake/install_packages.sh $(clang_packages)
	@cmake/run_tests.sh clang

test-tsan:
	@cmake/install_packages.sh $(tsan_packages)
	@cmake/run_tests.sh tsan

test-files: build
	@$(install_readers)
	@cmake/run_tests.sh files

test-python: build
	@cmake/install_packages.sh $(page_packages)
	@$(install_browsers)
	@$(install_python)
	@cmake/run_tests.sh python

test-faults:
	@cmake/install_packages.sh $(tsan_packages) $(aarch64_packages) $(page_packages) $(files_packages) patch
	@$(install_browsers)
	@tests/faults/run.sh $(FAULTS)

fuzz:
	@cmake/install_packages.sh $(fuzz_packages)
	@cmake --preset fuzz -DDUNLIN_BUILD_TESTS=ON >/dev/null
	@cmake --build build/fuzz --target dunlin_fuzzers
	@tests/fuzz/run.sh $(SECONDS)

fuzz-coverage:
	@cmake/install_packages.sh $(fuzz_packages)
	@cmake --preset coverage -DDUNLIN_BUILD_TESTS=ON >/dev/null
	@cmake --build build/coverage --target dunlin_replays
	@tests/fuzz/coverage.sh

soak soak-parts:
	@cmake/install_packages.sh $(test_packages)
	@test -e build/build.ninja || cmake --preset release
	@cmake -B build -DDUNLIN_BUILD_TESTS=ON >/dev/null
	@cmake --build build --target soak soak_parts soak_scenarios
	$(if $(filter soak,$@),OMP_WAIT_POLICY=passive build/tests/fuzz/soak $(MINUTES))
	$(if $(filter soak-parts,$@),OMP_WAIT_POLICY=passive build/tests/fuzz/soak_parts $(SCENES))
	$(if $(filter soak-parts,$@),OMP_WAIT_POLICY=passive build/tests/fuzz/soak_scenarios $(SCENES))

install: build
	cmake --install build --prefix "$(PREFIX)"

# What was installed last, and the folders that are only Dunlin's. CMake's list has no DESTDIR.
uninstall:
	@test -e build/install_manifest.txt || { echo "Nothing was installed from here" >&2; exit 1; }
	@sed 's|^|$(DESTDIR)|' build/install_manifest.txt | xargs -d '\n' rm -f
	@awk -F/ -v p='$(DESTDIR)' '{ folder = p; ours = 0; for (i = 2; i < NF; i++) { folder = folder "/" $$i; \
	    ours += $$i == "dunlin" && $$(i - 1) ~ /^(include|share|doc|cmake)$$/; if (ours) print folder } }' \
	    build/install_manifest.txt | sort -ru | xargs -rd '\n' rmdir --ignore-fail-on-non-empty

clean:
	rm -rf build
