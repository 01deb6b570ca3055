// warpbook program FILE.cu ... and warpbook exec PROGRAM: whole CUDA programs, host and device, with no GPU.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/device.hpp"
#include "device/nvcc/build_program.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "device/runtime/boxed_tool.hpp"
#include "device/runtime/program_box.hpp"
#include "device/runtime/run_program.hpp"
#include "lab/program/reported_run.hpp"
#include "lab/render/render.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;
using device::Expected;

constexpr double kDefaultTimeout = 300;
constexpr const char *kSimulator = "simulator", *kGpu = "gpu";
constexpr double kMostAlarm = 1e9;  // seconds; none is no alarm
constexpr int kSignalled = 128;     // shells add the signal's number to it

struct ProgramFlags {
  std::vector<std::string> files, includes, defines, libraries, arguments, readable;
  std::string executable, standard, folder, gpu{device::kDefaultGpu},
      checks = kLessonCheckWords, report, json, device{kSimulator};
  std::uint32_t devices = 1;
  std::uint64_t seed = 0;
  double timeout = kDefaultTimeout;
  bool quiet = false, unboxed = false;
  LanguageFlag language;

  void add_to(Verb& verb) {
    verb.option("--gpu", gpu, gpu_help());
    verb.option("--devices", devices, "How many of it the program sees (default: 1)")
        .between(1, 16);
    add_checks(verb, checks);
    verb.option("--seed", seed, "The schedule: 0 is the canonical order");
    verb.option("--cwd", folder, "The folder in which the program runs (default: the current one)");
    verb.option("--readable", readable,
                "A file or folder that the program and its compilers may read outside its own "
                "folder (may be repeated)");
    verb.flag("--unboxed", unboxed,
              "Run it with all your rights, for programs of your own: outside the box it reaches "
              "your files and the network, and a debugger reaches it");
    verb.option("--timeout", timeout, "Stop after so many seconds; 0: never (default: 300)")
        .between(0, 1e9);
    verb.option("--report", report,
                "Write the report to this file, .html or text, instead of standard error");
    verb.option("--json", json,
                "Write the report as JSON to this file (lab/render/report.schema.json)");
    verb.flag("--quiet", quiet, "Report only what was found");
    language.add_to(verb);
    verb.passes_on(arguments, "What follows -- goes to the program");
  }
};

Expected<device::Done> write_report(const lab::Report& report, const ProgramFlags& flags,
                                    const lab::Strings& strings) {
  const auto write = [](const std::string& file,
                        const std::string& bytes) -> Expected<device::Done> {
    if (auto written = device::write_file_atomically(file, bytes); !written)
      return tl::unexpected(written.error());
    return device::Done{};
  };
  if (!flags.json.empty()) {
    const auto english = lab::Strings::load(lab::kEnglish, device::root_folder().string());
    if (!english) return tl::unexpected(english.error());
    if (auto ok = write(flags.json, lab::to_json(report, **english).dump(2) + "\n"); !ok) return ok;
  }
  if (flags.report.empty()) return device::Done{};
  if (!flags.report.ends_with(".html")) return write(flags.report, lab::to_text(report, strings));
  return write(flags.report,
               lab::to_html_page(report.subject, lab::to_html(report, strings), strings));
}

/// The box that the flags ask for.
Expected<std::optional<device::runtime::ProgramBox>> box_of(const ProgramFlags& flags) {
  if (flags.unboxed) return std::nullopt;
  device::runtime::ProgramBox box;
  for (const std::string& path : flags.readable) {
    std::error_code error;
    (void)fs::canonical(path, error);
    if (error)
      return device::failure(ErrorCode::file_unreadable,
                             {{"file", path}, {"why", error.message()}});
    box.readable.emplace_back(path);
  }
  return box;
}

/// Runs a built program and reports; the exit code is the program's own.
int run(const ProgramFlags& flags, const fs::path& executable, const std::string& name) {
  const auto gpu = device::known_gpu(flags.gpu);
  if (!gpu) return complain(gpu.error());
  const auto checks = device::parse_checks(flags.checks);
  if (!checks) return complain(checks.error());
  const auto box = box_of(flags);
  if (!box) return complain(box.error());
  const auto strings = flags.language.strings();

  device::runtime::ProgramRun request;
  request.executable = executable;
  request.arguments = flags.arguments;
  request.folder = flags.folder;
  request.box = *box;
  request.seconds = flags.timeout;
  request.service.devices = flags.devices;
  std::error_code ignored;
  const auto ran = lab::run_and_report(
      std::move(request), {name, **gpu, *checks, flags.seed, fs::current_path(ignored).string()});
  if (!ran) return complain(ran.error());

  if (const auto written = write_report(ran->report, flags, *strings); !written)
    return complain(written.error());
  if (flags.report.empty() && !(flags.quiet && lab::is_clean(ran->report)))
    fmt::print(stderr, "{}", lab::to_text(ran->report, *strings));
  const auto& outcome = ran->outcome;
  using End = device::runtime::ProgramOutcome::End;
  return outcome.end == End::exited ? outcome.code : kSignalled + outcome.code;
}

/// Has compilers run in a box, unless the flags say that the program is the user's own.
Expected<device::Done> confine(device::ProgramSources& sources, const ProgramFlags& flags) {
  if (flags.unboxed) return device::Done{};
  auto box = device::runtime::ToolBox::make();
  if (!box) return tl::unexpected(box.error());
  sources.runner = box->as_runner();
  sources.readable.assign(flags.readable.begin(), flags.readable.end());
  return device::Done{};
}

/// Builds the program for a GPU, with the runtime of that folder.
Expected<device::BuiltProgram> build(const ProgramFlags& flags, const fs::path& runtime,
                                     int compute_capability) {
  device::ProgramSources sources;
  sources.files.assign(flags.files.begin(), flags.files.end());
  sources.include.assign(flags.includes.begin(), flags.includes.end());
  sources.defines = flags.defines;
  sources.standard = flags.standard;
  sources.compute_capability = static_cast<std::uint32_t>(compute_capability);
  sources.runtime = runtime;
  if (const auto confined = confine(sources, flags); !confined)
    return tl::unexpected(confined.error());
  auto built = device::build_program(sources);
  if (built && !built->said.empty()) fmt::print(stderr, "{}", built->said);
  return built;
}

/// The name and the compute capability of the GPU in this computer, once it has passed its self-test. The GPU is given back, since
/// the program is to have it.
Expected<device::Properties> real_gpu() {
  const auto opened = device::open_device(kGpu, device::kDefaultGpu);
  if (!opened) return tl::unexpected(opened.error());
  return (*opened)->properties();
}

/// Becomes the program: it takes this process's place, with its input, output and exit code, until the time is up.
int become(const ProgramFlags& flags, const fs::path& executable) {
  std::vector<std::string> words{executable.string()};
  words.insert(words.end(), flags.arguments.begin(), flags.arguments.end());
  std::vector<char*> arguments;
  for (std::string& one : words) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  const bool there = flags.folder.empty() || ::chdir(flags.folder.c_str()) == 0;
  if (there) {
    std::fflush(nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    ::alarm(static_cast<unsigned>(std::ceil(std::min(flags.timeout, kMostAlarm))));
    ::execv(executable.c_str(), arguments.data());
  }
  return complain(
      device::failure(ErrorCode::worker_failed, {{"why", std::generic_category().message(errno)}})
          .value());
}

/// With NVIDIA's own runtime, which neither records nor checks what the program does.
int build_and_run_on_gpu(const ProgramFlags& flags) {
  const auto strings = flags.language.strings();
  const auto refuse = [&](const char* why) {
    fmt::print(stderr, "warpbook: {}\n", (*strings)(std::string("cli.program.") + why));
    return kBadUsage;
  };
  if (!flags.report.empty() || !flags.json.empty()) return refuse("gpu-no-report");
  if (!flags.unboxed) return refuse("gpu-unboxed");
  const auto nvcc = device::find_nvcc();
  if (!nvcc) return complain(nvcc.error());
  const auto runtime = device::nvidia_runtime_folder(*nvcc);
  if (!runtime) return complain(runtime.error());
  const auto gpu = real_gpu();
  if (!gpu) return complain(gpu.error());
  const auto built = build(flags, *runtime, gpu->compute_capability);
  if (!built) return complain(built.error());
  if (!flags.quiet)
    fmt::print(stderr, "{}\n", (*strings)("cli.program.gpu-runs", {{"gpu", gpu->name}}));
  return become(flags, fs::absolute(built->executable));
}

int build_and_run(const ProgramFlags& flags) {
  if (flags.device == kGpu) return build_and_run_on_gpu(flags);
  const auto library = device::runtime::library_folder();
  if (!library) return complain(library.error());
  const auto gpu = device::known_gpu(flags.gpu);
  if (!gpu) return complain(gpu.error());
  const auto built = build(flags, *library, (*gpu)->compute_capability);
  if (!built) return complain(built.error());
  return run(flags, built->executable, fs::path(flags.files.front()).stem().string());
}

}  // namespace

void add_program(CommandLine& line) {
  auto flags = std::make_shared<ProgramFlags>();
  Verb verb = line.add("program", "Compile a whole CUDA program and run it with no GPU");
  verb.option("files", flags->files, "Its sources: .cu, .cpp, .cc, .c").required();
  verb.many();
  verb.option("-I,--include", flags->includes, "A folder of headers (may be repeated)");
  verb.option("--define", flags->defines, "A macro: NAME or NAME=VALUE (may be repeated)");
  verb.option("-l", flags->libraries,
              "A library, as nvcc is told it (may be repeated); those that the program calls are "
              "found without this")
      .one_of({"cublas", "cudart", "cudnn", "cufft", "curand", "m", "pthread"});
  verb.option("--std", flags->standard, "The C++ standard").one_of({"11", "14", "17", "20"});
  verb.option(
          "--device", flags->device,
          "simulator, or gpu: the GPU of this computer, with NVIDIA's own runtime, without checks "
          "and a report")
      .one_of({kSimulator, kGpu});
  flags->add_to(verb);
  verb.does([flags] { return build_and_run(*flags); });
}

void add_exec(CommandLine& line) {
  auto flags = std::make_shared<ProgramFlags>();
  Verb verb = line.add(
      "exec", "Run a program that nvcc built with -cudart shared and with PTX, with no GPU");
  verb.option("program", flags->executable, "The program").required();
  flags->add_to(verb);
  verb.does([flags] {
    std::error_code ignored;
    const fs::path program = fs::absolute(flags->executable, ignored);
    return run(*flags, program, program.filename().string());
  });
}

}  // namespace warpbook::cli
