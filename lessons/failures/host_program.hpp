// The host of a small CUDA program, call by call: what each call returns, by the rules of CUDA's runtime, and where an error is caused
// and told. Kernels really run; the codes are those that device/runtime gives whole programs.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "device/runtime/cuda_error.hpp"
#include "lab/exhibits/trail/trail.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::failures {

/// If a launch is refused, only cudaGetLastError() returns its error code. If a kernel fails, the first call that waits for it returns
/// the code, and so does every call after that (CUDA Runtime API, "Error Handling").
class HostProgram {
 public:
  using CudaError = device::runtime::CudaError;

  /// `checked`: what calls return is looked at, and the first error ends the program.
  HostProgram(lab::Lab& lab, bool checked) : lab_(lab), checked_(checked) {}

  /// A call that waits for nothing. `own`: what it returns if nothing has failed before it.
  void call(const std::string& code, CudaError own = device::runtime::kSuccess);
  /// A call that waits for all kernels; `then` happens if they have ended well.
  void wait(const std::string& code, const std::function<void()>& then = {});
  /// cudaGetLastError().
  void ask(const std::string& code);
  /// A launch; null where it was refused, or where the program does not come to it.
  std::shared_ptr<const device::LaunchRecord> launch(const std::string& code,
                                                     const device::Launch& launch);
  /// What the host does without CUDA.
  void host(const std::string& code);
  /// The step before this one is a mistake, if nothing was wrong yet.
  void blame(lab::Message how);

  [[nodiscard]] bool ended() const { return ended_; }
  /// The first error that a call returned.
  [[nodiscard]] CudaError told() const { return told_; }
  /// Whether a kernel may still be running.
  [[nodiscard]] bool is_running() const { return waited_ < trail_.kernels.size(); }
  [[nodiscard]] const lab::TrailExhibit& trail() const { return trail_; }

 private:
  /// Adds a step; false where the program has ended before.
  bool begin(const std::string& code);
  void returned(CudaError error);
  void note_failure(const device::LaunchRecord& record);

  lab::Lab& lab_;
  bool checked_ = false, ended_ = false;
  CudaError told_ = device::runtime::kSuccess;     ///< the first that a call returned
  CudaError last_ = device::runtime::kSuccess;     ///< what cudaGetLastError() would say
  CudaError sticky_ = device::runtime::kSuccess;   ///< every call says it
  CudaError running_ = device::runtime::kSuccess;  ///< what waiting for the kernels will say
  std::size_t waited_ = 0;                         ///< kernels that the host has waited for
  lab::TrailExhibit trail_;
};

}  // namespace warpbook::lessons::failures
