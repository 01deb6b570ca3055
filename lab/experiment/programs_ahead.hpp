// Programs that compile while the experiment that will ask for them runs its first kernels: the compiler is a process of its own, so
// both go on side by side.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "device/compiler/compiler.hpp"

namespace warpbook::lab {

class ProgramsAhead {
 public:
  using Compiled = tl::expected<std::shared_ptr<const device::Program>, device::CompileFailure>;

  explicit ProgramsAhead(std::shared_ptr<device::Compiler> compiler);
  /// Stops what still compiles.
  ~ProgramsAhead();
  ProgramsAhead(const ProgramsAhead&) = delete;
  ProgramsAhead& operator=(const ProgramsAhead&) = delete;

  /// Compiles the request once those before it have compiled.
  void begin(device::CompileRequest request);
  /// What became of a request, which is waited for where it compiles. Nothing where it has not begun, which it then never does, and
  /// where `stop` came first.
  std::optional<Compiled> take(const device::CompileRequest& request, const std::stop_token& stop);

 private:
  void work(const std::stop_token& stop);

  const std::shared_ptr<device::Compiler> compiler_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<device::CompileRequest> waiting_;
  std::string compiling_;                  ///< as bytes; empty: none
  std::map<std::string, Compiled> ready_;  ///< by their bytes
  std::jthread thread_;                    ///< last, so that it ends before what it uses
};

}  // namespace warpbook::lab
