#include "device/runtime/run_program.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "device/platform.hpp"
#include "device/worker/spawn.hpp"

namespace warpbook::device::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kLibraryFile = "libcudart.so.13";
constexpr auto kPatience = std::chrono::milliseconds(2);

tl::unexpected<Error> not_started(int error) {
  return failure(ErrorCode::worker_failed, {{"why", std::generic_category().message(error)}});
}

/// Our own environment, with the connection, and the library's folder in front of those that the loader searches.
std::vector<std::string> environment_for(const ProgramRun& run) {
  std::vector<std::string> all;
  std::string search = run.library.string();
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("LD_LIBRARY_PATH=") && !run.library.empty()) {
      search += ':' + std::string(text.substr(text.find('=') + 1));
    } else {
      all.emplace_back(text);
    }
  }
  if (!search.empty()) all.push_back("LD_LIBRARY_PATH=" + search);
  all.push_back(fmt::format("{}={},{}", kConnectionVariable, kProgramChannelFd, kProgramLogFd));
  return all;
}

Expected<pid_t> start_unboxed(const ProgramRun& run, int channel, int log) {
  FileActions actions;
  ::posix_spawn_file_actions_adddup2(actions.get(), channel, kProgramChannelFd);
  ::posix_spawn_file_actions_adddup2(actions.get(), log, kProgramLogFd);
  if (run.input >= 0) ::posix_spawn_file_actions_adddup2(actions.get(), run.input, STDIN_FILENO);
  if (run.output >= 0) ::posix_spawn_file_actions_adddup2(actions.get(), run.output, STDOUT_FILENO);
  if (run.errors >= 0) ::posix_spawn_file_actions_adddup2(actions.get(), run.errors, STDERR_FILENO);
  if (!run.folder.empty())
    ::posix_spawn_file_actions_addchdir_np(actions.get(), run.folder.c_str());
  std::vector<std::string> arguments{run.executable.string()};
  arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
  std::vector<std::string> environment = environment_for(run);
  pid_t pid = -1;
  // In our own process group, since it may read from the terminal.
  const int error = ::posix_spawn(&pid, run.executable.c_str(), actions.get(), nullptr,
                                  pointers_to(arguments).data(), pointers_to(environment).data());
  if (error != 0) return not_started(error);
  return pid;
}

/// In the box that the run asks for, or without one.
Expected<BoxedProgram> start(const ProgramRun& run, const Channel& theirs, int log) {
  if (!run.box) {
    const auto pid = start_unboxed(run, theirs.fd(), log);
    if (!pid) return tl::unexpected(pid.error());
    return BoxedProgram{*pid, {}, {}};
  }
  BoxedStart boxed;
  boxed.executable = run.executable;
  boxed.arguments = run.arguments;
  boxed.environment = environment_for(run);
  boxed.folder = run.folder;
  boxed.channel = theirs.fd();
  boxed.log = log;
  boxed.input = run.input;
  boxed.output = run.output;
  boxed.errors = run.errors;
  boxed.box = *run.box;
  return start_in_box(boxed);
}

}  // namespace

Expected<std::filesystem::path> library_folder() {
  const std::filesystem::path beside = executable_path().parent_path();
  // Programs of tests are a folder below the one that `warpbook` is in.
  for (const std::filesystem::path& folder : {beside, beside.parent_path()}) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / "runtime" / kLibraryFile, ignored))
      return folder / "runtime";
  }
  return failure(ErrorCode::library_missing,
                 {{"library", Message{"phrase.name.runtime", {}, {}}},
                  {"detail", (beside / "runtime" / kLibraryFile).string()},
                  {"command", "./warpbook"}});
}

Expected<ProgramOutcome> run_program(const ProgramRun& run) {
  auto service = Service::make(run.service);
  if (!service) return tl::unexpected(service.error());
  auto ends = Channel::pair();
  if (!ends) return tl::unexpected(ends.error());
  (*service)->serve(std::move(ends->first));
  const auto begin = Clock::now();
  const auto program = start(run, ends->second, (*service)->calls().fd());
  // Ours, so that the service sees the program's end close.
  ends->second.close();
  if (!program) {
    (void)(*service)->end();
    return tl::unexpected(program.error());
  }
  const pid_t pid = program->pid;

  ProgramOutcome outcome;
  const auto kill = [&](ProgramOutcome::End end) {
    outcome.end = end;
    // What waits for a program in its box ends it, and then itself.
    ::kill(pid, run.box ? SIGTERM : SIGKILL);
    (*service)->stop();
  };
  int status = 0;
  bool killed = false;
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    const std::chrono::duration<double> elapsed = Clock::now() - begin;
    if (!killed && run.stop.stop_requested()) {
      kill(ProgramOutcome::End::stopped);
      killed = true;
    } else if (!killed && run.seconds > 0 && elapsed.count() > run.seconds) {
      kill(ProgramOutcome::End::out_of_time);
      killed = true;
    }
    std::this_thread::sleep_for(kPatience);
  }
  if (!killed)
    outcome.end =
        WIFSIGNALED(status) ? ProgramOutcome::End::signalled : ProgramOutcome::End::exited;
  outcome.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();

  {
    // A kernel that never ends would hold us up, where on a GPU it ends with its program.
    const std::jthread watch([&](const std::stop_token& ended) {
      while (!ended.stop_requested()) {
        const std::chrono::duration<double> elapsed = Clock::now() - begin;
        if (run.stop.stop_requested() || (run.seconds > 0 && elapsed.count() > run.seconds))
          (*service)->stop();
        std::this_thread::sleep_for(kPatience);
      }
    });
    outcome.record = (*service)->end();
  }
  const CallLog& log = (*service)->calls().log();
  const auto kept = (*service)->calls().kept();
  outcome.calls.assign(kept.begin(), kept.end());
  outcome.calls_total = log.calls;
  outcome.base = log.base;
  if (log.fault.signal != 0) {
    outcome.fault = ProgramFault{static_cast<int>(log.fault.signal.load()), log.fault.write != 0,
                                 log.fault.address, log.fault.frames};
  }
  return outcome;
}

}  // namespace warpbook::device::runtime
