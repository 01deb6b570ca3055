#include "device/runtime/program_box.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "device/runtime/program_places.hpp"
#include "device/unique_fd.hpp"
#include "device/wire/bytes.hpp"
#include "device/worker/channel.hpp"
#include "device/worker/spawn.hpp"
#include "device/worker/worker_process.hpp"

namespace warpbook::device::runtime {
namespace {

namespace fs = std::filesystem;
using Failed = BoxReport::Failed;

tl::unexpected<Error> not_started(std::string why) {
  return failure(ErrorCode::worker_failed, {{"why", std::move(why)}});
}

std::string words_of(int number) { return std::generic_category().message(number); }

std::uint64_t most_of_the_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 1L));
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 4 * 3;
}

/// Files that the program may read: its own, what the caller names, and where its environment has it look for libraries.
std::vector<fs::path> readable_by(const BoxedStart& start, const fs::path& executable) {
  constexpr std::string_view kLibraries = "LD_LIBRARY_PATH=";
  std::vector<fs::path> readable = start.box.readable;
  readable.push_back(executable);
  for (const std::string& entry : start.environment) {
    if (!entry.starts_with(kLibraries)) continue;
    for (const fs::path& folder : folders_in(entry.substr(kLibraries.size()))) {
      std::error_code absent;
      if (!holds_home(fs::canonical(folder, absent)) && !absent) readable.push_back(folder);
    }
  }
  return readable;
}

/// All but the folder for temporary files.
Expected<BoxOrder> order_for(const BoxedStart& start) {
  std::error_code error;
  const fs::path folder = fs::canonical(start.folder.empty() ? "." : start.folder, error);
  if (error) return not_started(fmt::format("{}: {}", start.folder.string(), error.message()));
  if (holds_home(folder))
    return failure(ErrorCode::program_box_folder, {{"folder", folder.string()}});
  const fs::path executable = fs::canonical(start.executable, error);
  if (error) return not_started(fmt::format("{}: {}", start.executable.string(), error.message()));
  BoxOrder order;
  order.executable = executable.string();
  order.arguments = {start.executable.string()};
  order.arguments.insert(order.arguments.end(), start.arguments.begin(), start.arguments.end());
  order.folder = folder.string();
  order.places = places_of_program(readable_by(start, executable), {folder});
  order.limits = start.box.limits;
  if (order.limits.memory_bytes == 0) order.limits.memory_bytes = most_of_the_memory();
  order.layers = start.box.highest;
  return order;
}

/// The descriptors that the child begins with. Their numbers here are above all that they get there, so that none overwrites
/// another.
class Handed {
 public:
  void add(int fd, int number) {
    if (fd < 0) return;
    constexpr int kAbove = kBoxReportFd + 1;
    files_.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, kAbove));
    ::posix_spawn_file_actions_adddup2(actions_.get(), files_.back().get(), number);
  }
  FileActions& actions() { return actions_; }

 private:
  std::vector<UniqueFd> files_;
  FileActions actions_;
};

/// All that comes until the other end is closed.
std::string read_all(const UniqueFd& pipe) {
  std::string all;
  std::array<char, 4096> piece{};
  while (true) {
    const ssize_t got = ::read(pipe.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return all;
    all.append(piece.data(), static_cast<std::size_t>(got));
  }
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Nothing where the program began, as `pid`.
Expected<std::optional<BoxReport>> try_to_start(const BoxedStart& start, const BoxOrder& order,
                                                pid_t& pid) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return not_started(words_of(errno));
  const UniqueFd report(ends[0]);
  UniqueFd theirs(ends[1]);
  const UniqueFd told = make_memory(to_bytes(order));
  std::vector<std::string> environment = start.environment;
  std::vector<std::string> arguments{"warpbook", "worker", "boxed"};
  const std::string binary = worker_binary();
  int error = 0;
  {
    Handed handed;
    handed.add(start.input, STDIN_FILENO);
    handed.add(start.output, STDOUT_FILENO);
    handed.add(start.errors, STDERR_FILENO);
    handed.add(start.channel, kProgramChannelFd);
    handed.add(start.log, kProgramLogFd);
    handed.add(told.get(), kBoxOrderFd);
    handed.add(theirs.get(), kBoxReportFd);
    ::posix_spawn_file_actions_addchdir_np(handed.actions().get(), order.folder.c_str());
    // In our own process group, since the program may read from the terminal.
    error = ::posix_spawn(&pid, binary.c_str(), handed.actions().get(), nullptr,
                          pointers_to(arguments).data(), pointers_to(environment).data());
  }
  if (error != 0) return not_started(binary + ": " + words_of(error));
  theirs.reset();
  const std::string bytes = read_all(report);
  if (bytes.empty()) return std::nullopt;
  wait_for(pid);
  auto said = from_bytes<BoxReport>(bytes);
  if (!said) return not_started(binary);
  return std::move(*said);
}

}  // namespace

Expected<PrivateFolder> PrivateFolder::make() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "warpbook-XXXXXX").string();
  if (error) return not_started(error.message());
  if (::mkdtemp(name.data()) == nullptr)
    return failure(ErrorCode::file_unwritable, {{"file", name}, {"why", words_of(errno)}});
  PrivateFolder folder;
  folder.path_ = fs::canonical(name, error);
  return folder;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Expected<BoxedProgram> start_in_box(const BoxedStart& start) {
  auto order = order_for(start);
  if (!order) return tl::unexpected(order.error());
  std::string refusals;
  while (order->layers.landlock || order->layers.namespaces) {
    // A new one for each try, since it goes with the process that tried.
    auto temporary = PrivateFolder::make();
    if (!temporary) return tl::unexpected(temporary.error());
    order->temporary = temporary->path().string();
    pid_t pid = -1;
    const auto report = try_to_start(start, *order, pid);
    if (!report) return tl::unexpected(report.error());
    if (!*report)
      return BoxedProgram{pid, {order->layers, std::move(refusals)}, std::move(*temporary)};
    const auto& [failed, why] = **report;
    if (failed == Failed::program) return not_started(why);
    refusals += (refusals.empty() ? "" : "; ") + why;
    if (failed == Failed::seccomp) break;
    // What failed halfway cannot be undone, so the next try begins with a new process.
    (failed == Failed::landlock ? order->layers.landlock : order->layers.namespaces) = false;
  }
  return failure(ErrorCode::program_box_missing, {{"why", refusals}});
}

Expected<BoxInForce> probe_program_box() {
  auto folder = PrivateFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  BoxedStart start;
  start.executable = "/bin/true";
  start.folder = folder->path();
  auto started = start_in_box(start);
  if (!started) return tl::unexpected(started.error());
  if (const int status = wait_for(started->pid); status != 0)
    return failure(ErrorCode::program_box_missing,
                   {{"why", fmt::format("/bin/true ends with {:#x} in it", status)}});
  return std::move(started->box);
}

}  // namespace warpbook::device::runtime
