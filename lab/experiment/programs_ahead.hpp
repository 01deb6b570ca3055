// The programs of an experiment, each of which compiles once: ahead, while the experiment that will ask for them runs its first
// kernels, since the compiler is a process of its own; or when a part of the experiment asks, while another may ask for the same.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

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

  /// Compiles the request once those before it have begun, and no more compile than can at once.
  void begin(device::CompileRequest request);
  /// What became of a request. It is waited for where it compiles already; where it has not begun, it compiles at once, before
  /// those that wait. Error: cancelled, where `stop` came first.
  Compiled program(const device::CompileRequest& request, const std::stop_token& stop);

 private:
  void work(const std::stop_token& stop);
  /// Compiles without the lock, which is held before and after.
  Compiled compile(std::unique_lock<std::mutex>& lock, const std::string& bytes,
                   const device::CompileRequest& request, const std::stop_token& stop);

  const std::shared_ptr<device::Compiler> compiler_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<device::CompileRequest> waiting_;
  std::set<std::string> compiling_;        ///< by their bytes
  std::map<std::string, Compiled> ready_;  ///< by their bytes
  std::vector<std::jthread> threads_;      ///< last, so that they end before what they use
};

}  // namespace warpbook::lab
