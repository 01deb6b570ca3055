// A library as its owner sees it: in a worker process, where a crash or a hang costs that process and nothing else.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/libraries/library.hpp"
#include "device/libraries/messages.hpp"
#include "device/libraries/primary_gpu.hpp"
#include "device/worker/worker_process.hpp"

namespace warpbook::device::libraries {

/// Starts its worker when first asked, and anew after one was lost. One thread at a time may ask; any may cancel.
class Client final : public Library {
 public:
  /// The library that find_library finds.
  explicit Client(Kind kind) : kind_(kind) {}
  /// The library in that file.
  Client(Kind kind, std::filesystem::path file) : kind_(kind), file_(std::move(file)) {}

  /// How long an answer may take, in seconds, before the worker is killed: library_timeout.
  void set_patience(double seconds) { patience_ = seconds; }
  /// Ends the question that is being asked, at once and with library_died, by killing the worker.
  void cancel();
  /// The process that the library runs in; 0 where there is none.
  [[nodiscard]] pid_t worker() const { return pid_; }

  Expected<Identity> identity() override;
  Expected<Offer> offer(const Problem& problem, const Target& target) override;
  Expected<std::vector<float>> run(const Problem& problem, std::uint32_t algorithm,
                                   const std::vector<std::vector<float>>& inputs) override;
  Expected<std::vector<Timing>> time(const Problem& problem,
                                     const std::vector<std::uint32_t>& algorithms,
                                     const TimeLimits& limits) override;
  Expected<std::string> describe_device() override;

  /// time() of those that run in at most `longest` seconds, all in turns; nothing for the others, which are stopped.
  Expected<std::vector<std::optional<Timing>>> time_those_within(
      double longest, const Problem& problem, const std::vector<std::uint32_t>& algorithms,
      const TimeLimits& limits);

 private:
  Expected<void> start();
  Expected<std::string> ask(MessageKind kind, const Request& request);
  Expected<std::string> exchange(MessageKind kind, const std::string& bytes);
  tl::unexpected<Error> lost(const Message& detail);

  Kind kind_;
  std::filesystem::path file_;
  double patience_ = 120;
  std::optional<Identity> identity_;
  WorkerProcess worker_;
  std::atomic<pid_t> pid_ = 0;
};

/// The driver and its GPUs, asked in a worker of its own. `stop` ends the worker, and the answer is then library_died.
Expected<DriverFacts> ask_driver(const std::stop_token& stop = {});
/// opengl_renderer, likewise.
Expected<std::string> ask_opengl();

}  // namespace warpbook::device::libraries
