// What libraries have for a problem, as an exhibit: cuDNN's list for a GPU that is described to it, oneDNN's
// implementations timed on this CPU; and kernels of this book as a group beside them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/libraries/problem.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/ladder/library_answer.hpp"
#include "lab/operation/operation.hpp"
#include "lab/operation/tolerance.hpp"

namespace warpbook::lab {

/// What the libraries' results are held against.
struct LibraryTruth {
  std::vector<std::vector<float>> inputs;  ///< the tensors of tensors_of(problem)
  std::vector<double> output;
  // How far a result may be off; without a tolerance that is told and not judged.
  std::optional<Tolerance> tolerance;
  std::vector<double> magnitudes;  ///< for "sum": of the terms of each element
  std::uint64_t products = 0;      ///< for "products": how many are added up in one element
  std::int64_t depth = 0;          ///< for "sum": the most additions in a row
};

/// Says in the row how far its result is from the truth. Where that has a tolerance, a note says RIGHT (within it), BEYOND (less
/// exact) or WRONG: further off than TF32 would be, and then it has no time. Winograd and FFT engines get the tolerance of our
/// own rung of that idea.
void judge(AlgorithmsExhibit::Row& row, const std::vector<float>& result,
           const LibraryTruth& truth);

struct AlgorithmsRequest {
  device::libraries::Problem problem;
  /// Of the GPU table; "here": the one of this machine, which is timed, too.
  std::string gpu{device::kDefaultGpu};
  bool nvidia = true;  ///< ask cuDNN; of a matrix product cuBLAS
  bool onednn = true;
  bool times = true;
  /// Seconds: whatever runs for longer is stopped, and said to be. A lesson does not wait for the plain loops.
  double longest = 0.25;
  bool time_references = false;
  device::TimeLimits limits{0.01, 0.02, 0.1};
  std::uint64_t workspace_cap = kNoCap;       ///< bytes
  std::shared_ptr<const LibraryTruth> truth;  ///< null: how far results are off is not asked
};

/// Asks the libraries, each in a worker process; some 0.3 s a library, and for times up to 0.2 s an algorithm that runs
/// within `longest`. What was asked before in this process is remembered. What a library lacks or refuses stands in its
/// group. Errors: bad_problem, no_such_gpu, cancelled.
device::Expected<AlgorithmsExhibit> algorithms_of(const AlgorithmsRequest& request,
                                                  const std::stop_token& stop = {});

/// A group for kernels of this book, whose times are estimated for `gpu` ("H200").
AlgorithmsExhibit::Group own_kernels(const std::string& gpu);
/// A rung that ran: its workspace, and the estimate of its launches where all of them have one. `scalars` as run_rung
/// had them. `truth`: of its only output; without one, how far it is off is not asked. Throws ExperimentFailed.
AlgorithmsExhibit::Row own_row(const Operation& operation, const Rung& rung,
                               const std::map<std::string, std::int64_t>& scalars,
                               const RungResult& result, std::span<const double> truth = {});

}  // namespace warpbook::lab
