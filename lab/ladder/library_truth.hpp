// What a library's result for an operation of kernels/ is held against: the truth that the rungs are held to.
#pragma once

#include <memory>

#include "device/libraries/problem.hpp"
#include "lab/ladder/algorithms_of.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::lab {

/// The inputs that a rung is checked with (normal numbers, a bias of 0), the operation's float64 truth of them and its tolerance, all in
/// the library's order. `problem`: of library_problem. Null where the operation has no reference. Throws ExperimentFailed as
/// make_inputs does.
std::shared_ptr<const LibraryTruth> library_truth(const Operation& operation,
                                                  const OperationCase& size,
                                                  const device::libraries::Problem& problem);

}  // namespace warpbook::lab
