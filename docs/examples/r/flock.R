# SPDX-License-Identifier: MIT
# The flock of ../hello.c, from R. In a shell, for a library that pkg-config finds:
#   PKG_CPPFLAGS=$(pkg-config --cflags dunlin) PKG_LIBS=$(pkg-config --libs dunlin) R CMD SHLIB flock.c
#   Rscript flock.R
dyn.load("flock.so")
run_flock <- function(agents, steps) {
    flock <- .Call("run_flock", as.integer(agents), as.integer(steps))
    names(flock) <- c("hash", "state")
    colnames(flock$state) <- c("x", "y", "vx", "vy")
    flock
}

flock <- run_flock(2000, 300)
cat("state hash: ", flock$hash, "\n", sep = "")
headings <- flock$state[, c("vx", "vy")] / sqrt(rowSums(flock$state[, c("vx", "vy")]^2))
polarization <- sqrt(sum(colMeans(headings)^2))
message("polarization: ", format(polarization, digits = 4)) # plot(flock$state[, c("x", "y")], asp = 1, pch = ".")
