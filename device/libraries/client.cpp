#include "device/libraries/client.hpp"

#include <csignal>
#include <stop_token>

#include <fmt/format.h>

#include "device/libraries/files.hpp"

namespace warpbook::device::libraries {
namespace {

// Seconds, and for each element.
constexpr double kSetUp = 1, kSetUpEach = 50e-9;
constexpr double kSetUpOnGpu = 10;  // half a gigabyte of kernels, from a disk whose cache is cold
constexpr double kProbePatience = 20;  // a driver that hangs does so for ever

Channel::Deadline after(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(seconds));
}

template <class T>
Expected<T> read(const Expected<std::string>& bytes, const std::string& library) {
  if (!bytes) return tl::unexpected(bytes.error());
  if (auto value = from_bytes<T>(*bytes)) return std::move(*value);
  return failure(ErrorCode::library_died,
                 {{"library", library}, {"detail", Message{"phrase.protocol.senseless"}}});
}

/// One question to a worker that lives for it alone.
Expected<std::string> ask_once(MessageKind kind, const std::string& whom,
                               const std::stop_token& stop = {}) {
  auto worker = WorkerProcess::start("device");
  if (!worker) return tl::unexpected(worker.error());
  const std::stop_callback kill(stop, [pid = worker->pid()] { ::kill(pid, SIGKILL); });
  Packet message;
  Message detail{"phrase.protocol.senseless"};
  if (!worker->channel().send(static_cast<std::uint32_t>(kind), "")) {
    detail = worker->ending();
  } else {
    switch (worker->channel().receive(message, after(kProbePatience))) {
      case Channel::Outcome::message:
        if (static_cast<MessageKind>(message.kind) == MessageKind::answer) return message.bytes;
        if (auto error = from_bytes<Error>(message.bytes)) return tl::unexpected(*error);
        break;
      case Channel::Outcome::closed: detail = worker->ending(); break;
      case Channel::Outcome::timeout:
        detail = {"phrase.protocol.late", {{"seconds", fmt::format("{:g}", kProbePatience)}}};
        break;
      case Channel::Outcome::malformed: break;
    }
  }
  return failure(ErrorCode::library_died, {{"library", whom}, {"detail", detail}});
}

}  // namespace

void Client::cancel() {
  if (const pid_t pid = pid_; pid > 0) ::kill(pid, SIGKILL);
}

tl::unexpected<Error> Client::lost(const Message& detail) {
  pid_ = 0;
  worker_.kill();
  const std::string library(name_of(kind_));
  // The signal of reading a page beyond the end of a mapped file: the library's file is too short.
  const Message* signal = argument_of(detail.arguments, "number");
  if (signal && signal->text == std::to_string(SIGBUS)) {
    return failure(
        ErrorCode::library_damaged,
        {{"library", library}, {"detail", detail}, {"command", std::string(command_for(kind_))}});
  }
  return failure(ErrorCode::library_died, {{"library", library}, {"detail", detail}});
}

Expected<std::string> Client::exchange(MessageKind kind, const std::string& bytes) {
  Channel& channel = worker_.channel();
  if (!channel.send(static_cast<std::uint32_t>(kind), bytes)) return lost(worker_.ending());
  Packet message;
  switch (channel.receive(message, after(patience_))) {
    case Channel::Outcome::message: break;
    case Channel::Outcome::timeout:
      pid_ = 0;
      worker_.kill();
      return failure(ErrorCode::library_timeout, {{"library", std::string(name_of(kind_))},
                                                  {"seconds", fmt::format("{:g}", patience_)}});
    case Channel::Outcome::closed: return lost(worker_.ending());
    case Channel::Outcome::malformed: return lost({"phrase.protocol.senseless"});
  }
  if (static_cast<MessageKind>(message.kind) == MessageKind::answer)
    return std::move(message.bytes);
  if (auto error = from_bytes<Error>(message.bytes)) return tl::unexpected(*error);
  return lost({"phrase.protocol.senseless"});
}

Expected<void> Client::start() {
  if (worker_) return {};
  if (file_.empty()) {
    auto found = find_library(kind_);
    if (!found) return tl::unexpected(found.error());
    file_ = *found;
  }
  auto worker = WorkerProcess::start("device");
  if (!worker) return tl::unexpected(worker.error());
  worker_ = std::move(*worker);
  pid_ = worker_.pid();
  Request request;
  request.kind = kind_;
  request.file = file_.string();
  auto opened =
      read<Identity>(exchange(MessageKind::open, to_bytes(request)), std::string(name_of(kind_)));
  if (!opened) {
    pid_ = 0;
    worker_.kill();
    return tl::unexpected(opened.error());
  }
  identity_ = *opened;
  return {};
}

Expected<std::string> Client::ask(MessageKind kind, const Request& request) {
  if (auto started = start(); !started) return tl::unexpected(started.error());
  return exchange(kind, to_bytes(request));
}

Expected<Identity> Client::identity() {
  if (auto started = start(); !started) return tl::unexpected(started.error());
  return *identity_;
}

Expected<Offer> Client::offer(const Problem& problem, const Target& target) {
  if (auto good = check(problem); !good) return tl::unexpected(good.error());
  Request request;
  request.problem = problem;
  request.target = target;
  return read<Offer>(ask(MessageKind::offer, request), std::string(name_of(kind_)));
}

Expected<std::vector<float>> Client::run(const Problem& problem, std::uint32_t algorithm,
                                         const std::vector<std::vector<float>>& inputs) {
  if (auto good = check(problem); !good) return tl::unexpected(good.error());
  const Tensors tensors = tensors_of(problem);
  bool all = inputs.size() == tensors.inputs.size();
  for (std::size_t i = 0; all && i < inputs.size(); ++i)
    all = static_cast<std::int64_t>(inputs[i].size()) == tensors.inputs[i].shape.count();
  if (!all) {
    return failure(ErrorCode::bad_problem, {{"what", Message{"phrase.what.the-data", {}, {}}},
                                            {"value", fmt::format("of {} tensors", inputs.size())},
                                            {"why", Message{"phrase.why.other-sizes", {}, {}}}});
  }
  Request request;
  request.problem = problem;
  request.algorithms = {algorithm};
  request.inputs = inputs;
  return read<std::vector<float>>(ask(MessageKind::run, request), std::string(name_of(kind_)));
}

Expected<std::vector<Timing>> Client::time(const Problem& problem,
                                           const std::vector<std::uint32_t>& algorithms,
                                           const TimeLimits& limits) {
  if (auto good = check(problem); !good) return tl::unexpected(good.error());
  Request request;
  request.problem = problem;
  request.algorithms = algorithms;
  request.limits = limits;
  return read<std::vector<Timing>>(ask(MessageKind::time, request), std::string(name_of(kind_)));
}

Expected<std::vector<std::optional<Timing>>> Client::time_those_within(
    double longest, const Problem& problem, const std::vector<std::uint32_t>& algorithms,
    const TimeLimits& limits) {
  std::vector<std::optional<Timing>> timings(algorithms.size());
  std::vector<std::uint32_t> quick;
  std::vector<std::size_t> places;
  const double patience = patience_;
  const Tensors tensors = tensors_of(problem);
  auto elements = static_cast<double>(tensors.output.shape.count());
  for (const Tensor& input : tensors.inputs) elements += static_cast<double>(input.shape.count());
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    // Offered first: after a worker was lost, that takes its time, too.
    if (auto offered = offer(problem, {}); !offered) return tl::unexpected(offered.error());
    // A run to warm up and one that counts, after the data were brought into their layout.
    patience_ =
        2 * longest + (kind_ == Kind::onednn ? kSetUp : kSetUpOnGpu) + kSetUpEach * elements;
    const auto once = time(problem, {algorithms[i]}, {0, 0, 0});
    patience_ = patience;
    if (!once && once.error().code != ErrorCode::library_timeout)
      return tl::unexpected(once.error());
    if (!once || once->front().median > longest) continue;
    quick.push_back(algorithms[i]);
    places.push_back(i);
  }
  if (quick.empty()) return timings;
  const auto all = time(problem, quick, limits);
  if (!all) return tl::unexpected(all.error());
  for (std::size_t i = 0; i < all->size() && i < places.size(); ++i) timings[places[i]] = (*all)[i];
  return timings;
}

Expected<std::string> Client::describe_device() { return ask(MessageKind::describe, {}); }

Expected<DriverFacts> ask_driver(const std::stop_token& stop) {
  return read<DriverFacts>(ask_once(MessageKind::driver, "the NVIDIA driver", stop),
                           "the NVIDIA driver");
}

Expected<std::string> ask_opengl() { return ask_once(MessageKind::opengl, "OpenGL"); }

}  // namespace warpbook::device::libraries
