// warpbook program FILE.cu ... and warpbook exec PROGRAM: whole CUDA programs, host and device, with no GPU.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/nvcc/build_program.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "device/runtime/host_lines.hpp"
#include "device/runtime/program_box.hpp"
#include "device/runtime/run_program.hpp"
#include "lab/program/program_report.hpp"
#include "lab/render/render.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;
using device::Expected;

constexpr double kDefaultTimeout = 300;
constexpr int kSignalled = 128;  // shells add the signal's number to it

struct ProgramFlags {
  std::vector<std::string> files, includes, defines, arguments, readable;
  std::string executable, standard, folder, gpu{device::kDefaultGpu}, checks = kLessonCheckWords,
                                                                      report, json;
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
                "A file or folder that the program may read outside its own folder (may be "
                "repeated)");
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
int run(const ProgramFlags& flags, const fs::path& executable, const std::string& name,
        std::vector<std::string> headers) {
  const auto gpu = device::known_gpu(flags.gpu);
  if (!gpu) return complain(gpu.error());
  const auto checks = device::parse_checks(flags.checks);
  if (!checks) return complain(checks.error());
  const auto library = device::runtime::library_folder();
  if (!library) return complain(library.error());
  const auto box = box_of(flags);
  if (!box) return complain(box.error());
  const auto strings = flags.language.strings();

  device::runtime::HostLines lines(executable, std::move(headers));
  device::runtime::ProgramRun request;
  request.executable = executable;
  request.arguments = flags.arguments;
  request.folder = flags.folder;
  request.library = *library;
  request.box = *box;
  request.seconds = flags.timeout;
  request.service.gpu = **gpu;
  request.service.devices = flags.devices;
  request.service.checks = *checks;
  request.service.seed = flags.seed;
  request.service.name_of_memory = [&lines](const device::runtime::CallRecord& call,
                                            std::uint64_t base) {
    return lab::name_of_memory(call, base, lines);
  };
  const auto outcome = device::runtime::run_program(request);
  if (!outcome) return complain(outcome.error());

  std::error_code ignored;
  const lab::ProgramFacts facts{name, **gpu, *checks, flags.seed,
                                fs::current_path(ignored).string()};
  const lab::Report report = lab::report_of(*outcome, facts, lines);
  if (const auto written = write_report(report, flags, *strings); !written)
    return complain(written.error());
  if (flags.report.empty() && !(flags.quiet && lab::is_clean(report)))
    fmt::print(stderr, "{}", lab::to_text(report, *strings));
  using End = device::runtime::ProgramOutcome::End;
  return outcome->end == End::exited ? outcome->code : kSignalled + outcome->code;
}

int build_and_run(const ProgramFlags& flags) {
  const auto library = device::runtime::library_folder();
  if (!library) return complain(library.error());
  const auto gpu = device::known_gpu(flags.gpu);
  if (!gpu) return complain(gpu.error());
  device::ProgramSources sources;
  sources.files.assign(flags.files.begin(), flags.files.end());
  sources.include.assign(flags.includes.begin(), flags.includes.end());
  sources.defines = flags.defines;
  sources.standard = flags.standard;
  sources.compute_capability = static_cast<std::uint32_t>((*gpu)->compute_capability);
  sources.runtime = *library;
  const auto built = device::build_program(sources);
  if (!built) return complain(built.error());
  if (!built->said.empty()) fmt::print(stderr, "{}", built->said);
  std::vector<std::string> headers;
  if (const auto nvcc = device::find_nvcc()) headers.push_back(nvcc->includes.string());
  return run(flags, built->executable, fs::path(flags.files.front()).stem().string(),
             std::move(headers));
}

}  // namespace

void add_program(CommandLine& line) {
  auto flags = std::make_shared<ProgramFlags>();
  Verb verb = line.add("program", "Compile a whole CUDA program and run it with no GPU");
  verb.option("files", flags->files, "Its sources: .cu, .cpp, .cc, .c").required();
  verb.many();
  verb.option("-I,--include", flags->includes, "A folder of headers (may be repeated)");
  verb.option("--define", flags->defines, "A macro: NAME or NAME=VALUE (may be repeated)");
  verb.option("--std", flags->standard, "The C++ standard").one_of({"11", "14", "17", "20"});
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
    return run(*flags, program, program.filename().string(), {});
  });
}

}  // namespace warpbook::cli
