#include "device/nvcc/build_program.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "device/compiler/toolkit.hpp"
#include "device/nvcc/commands.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/nvcc/program_store.hpp"
#include "device/nvcc/separate_compilation.hpp"
#include "device/platform.hpp"
#include "device/worker/limited_child.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kOutputBytes = 16u << 20;  // of a compiler; templates make it talkative
constexpr std::uint64_t kMemoryBytes = 16ull << 30;
constexpr std::uint64_t kFileBytes = 4ull << 30;
constexpr unsigned kMostAtOnce = 4;  // compilers; each takes up to a gigabyte
constexpr const char* kLinker = "g++";
constexpr const char* kLinkerCommand = "sudo apt install build-essential";

struct Tools {
  Nvcc nvcc;
  fs::path linker, nm;
};

std::string search_path() {
  const char* path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

Expected<fs::path> program_in_path(const std::string& name) {
  const std::string folders = search_path();
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    fs::path file = fs::path(folders.substr(begin, end - begin)) / name;
    if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  return failure(ErrorCode::library_missing,
                 {{"library", name},
                  {"detail", Message{"phrase.detail.not-under", {{"folder", "$PATH"}}, {}}},
                  {"command", kLinkerCommand}});
}

Expected<Tools> find_tools() {
  auto nvcc = find_nvcc();
  if (!nvcc) return tl::unexpected(nvcc.error());
  auto linker = program_in_path(kLinker);
  if (!linker) return tl::unexpected(linker.error());
  auto nm = program_in_path("nm");
  if (!nm) return tl::unexpected(nm.error());
  return Tools{std::move(*nvcc), std::move(*linker), std::move(*nm)};
}

Expected<void> check_runtime(const fs::path& folder) {
  const fs::path file = folder / kRuntimeFile;
  std::error_code error;
  if (fs::exists(file, error)) return {};
  return failure(ErrorCode::library_missing,
                 {{"library", kRuntimeFile},
                  {"detail", Message{"phrase.detail.no-file", {{"file", file.string()}}, {}}},
                  {"command", "./warpbook"}});
}

/// Which of the sources use OpenMP. Error: file_unreadable.
Expected<std::vector<bool>> openmp_of(const ProgramSources& sources) {
  std::vector<bool> used;
  for (const fs::path& file : sources.files) {
    const auto text = read_file(sources.folder / file);
    if (!text) return tl::unexpected(text.error());
    used.push_back(uses_openmp(*text));
  }
  return used;
}

std::string stamp_of(const fs::path& file) {
  std::error_code error;
  const auto changed = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}", fs::canonical(file, error).string(), fs::file_size(file, error),
                     changed);
}

/// All that a program depends on beside the files that it reads.
std::string request_of(const ProgramSources& sources, const Tools& tools) {
  std::string request = fmt::format("{}\n{}\n{}\n", identity_of(tools.nvcc), stamp_of(tools.linker),
                                    sources.folder.string());
  Translation any;
  for (const fs::path& file : sources.files) {
    any.source = file;
    for (const std::string& argument : compile_arguments(sources, any)) request += argument + "\n";
  }
  for (const std::string& argument : link_arguments(sources, {}, false, {}))
    request += argument + "\n";
  return request;
}

/// Where the linker missed functions of cuBLAS and its like, its words end with what that means.
void explain_missing_functions(Error& error, const std::string& said) {
  const std::vector<std::string> missing = missing_library_functions(said);
  if (missing.empty() || error.code != ErrorCode::build_error) return;
  for (MessageArgument& argument : error.arguments) {
    if (argument.name != "words") continue;
    argument.value =
        Message{"phrase.detail.functions-not-there",
                {{"words", said}, {"functions", fmt::format("{}", fmt::join(missing, ", "))}},
                {}};
  }
}

/// One build, in a folder of its own.
class Build {
 public:
  Build(const ProgramSources& sources, const Tools& tools, std::vector<bool> openmp,
        fs::path folder)
      : sources_(sources), tools_(tools), openmp_(std::move(openmp)), folder_(std::move(folder)) {}

  /// Compiles and links; then said() and files() are those of the compilers.
  Expected<fs::path> run() {
    compile(false);
    if (const auto stopped = interruption()) return tl::unexpected(*stopped);
    separate_ = needs_separation();
    if (separate_) compile(true);
    if (const auto failed = first_error()) return tl::unexpected(*failed);
    return link();
  }
  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] Expected<std::vector<std::string>> files() const;

 private:
  struct Compiled {
    Translation translation;
    ChildOutcome outcome;
    std::optional<Error> error;
  };

  void compile(bool separate);
  void compile_one(Compiled& into) const;
  [[nodiscard]] bool needs_separation() const;
  [[nodiscard]] std::optional<Error> interruption() const;
  [[nodiscard]] std::optional<Error> first_error() const;
  Expected<fs::path> link();
  [[nodiscard]] Expected<fs::path> written_registration() const;
  [[nodiscard]] ChildOutcome run_tool(const fs::path& program,
                                      std::vector<std::string> arguments) const;
  [[nodiscard]] std::optional<Error> error_of(const ChildOutcome& outcome, const std::string& name,
                                              const fs::path& program) const;

  const ProgramSources& sources_;
  const Tools& tools_;
  const std::vector<bool> openmp_;
  const fs::path folder_;
  bool separate_ = false;
  std::vector<Compiled> compiled_;
  std::string said_;
};

/// Where `#include "..."` and `-I` look for headers: beside the sources and in the folders that were named.
std::vector<fs::path> search_folders(const ProgramSources& sources) {
  std::set<fs::path> folders;
  for (const fs::path& file : sources.files)
    folders.insert((sources.folder / file).lexically_normal().parent_path());
  // "a/." becomes "a/", of which the parent is "a": fs::path holds "a/" and "a" for two.
  for (const fs::path& folder : sources.include)
    folders.insert((sources.folder / folder / ".").lexically_normal().parent_path());
  return {folders.begin(), folders.end()};
}

/// What compilers read: the toolkit, what the program is made of, and what it is linked with.
std::vector<fs::path> readable_by_compilers(const ProgramSources& sources, const Tools& tools) {
  std::vector<fs::path> readable = search_folders(sources);
  const fs::path toolkit = tools.nvcc.program.parent_path().parent_path();
  for (const fs::path& path : {toolkit, tools.nvcc.includes, removed_headers(), sources.folder,
                               sources.runtime, sources.nvrtc, sources.nvrtc_headers}) {
    if (!path.empty()) readable.push_back(path);
  }
  for (fs::path& folder : library_headers()) readable.push_back(std::move(folder));
  for (const fs::path& path : sources.readable) readable.push_back(sources.folder / path);
  return readable;
}

ChildOutcome Build::run_tool(const fs::path& program, std::vector<std::string> arguments) const {
  const ChildRequest request{.program = program,
                             .arguments = std::move(arguments),
                             .environment = {"PATH=" + search_path(), "TMPDIR=" + folder_.string()},
                             .folder = sources_.folder,
                             .seconds = sources_.seconds,
                             .joined_output = true,
                             .output_bytes = kOutputBytes,
                             .memory_bytes = kMemoryBytes,
                             .file_bytes = kFileBytes};
  if (!sources_.runner) return run_limited(request, sources_.stop);
  return sources_.runner(request, readable_by_compilers(sources_, tools_), folder_, sources_.stop);
}

std::optional<Error> Build::error_of(const ChildOutcome& outcome, const std::string& name,
                                     const fs::path& program) const {
  using End = ChildOutcome::End;
  const auto died = [&](Message detail) {
    return Error{ErrorCode::compiler_died, {{"name", name}, {"detail", std::move(detail)}}, {}};
  };
  switch (outcome.end) {
    case End::stopped: return Error{ErrorCode::cancelled, {}, {}};
    case End::not_started:
      return Error{ErrorCode::library_damaged,
                   {{"library", program.filename().string()},
                    {"detail", outcome.errors},
                    {"command", program == tools_.nvcc.program ? kNvccCommand : kLinkerCommand}},
                   {}};
    case End::signalled:
      return died(Message{"phrase.detail.signal", {{"number", outcome.code}}, {}});
    case End::too_much_output:
      return died(Message{"phrase.detail.wrote-too-much", {{"megabytes", kOutputBytes >> 20}}, {}});
    case End::out_of_time:
      return Error{ErrorCode::compiler_timeout,
                   {{"name", name}, {"seconds", fmt::format("{:g}", sources_.seconds)}},
                   {}};
    case End::exited: break;
  }
  if (outcome.code == 0) return std::nullopt;
  return Error{ErrorCode::build_error,
               {{"name", name},
                {"program", program.filename().string()},
                {"code", outcome.code},
                {"words", outcome.output}},
               {}};
}

void Build::compile(bool separate) {
  compiled_.clear();
  for (std::size_t i = 0; i < sources_.files.size(); ++i) {
    const fs::path base = folder_ / std::to_string(i);
    Translation translation{.source = sources_.files[i],
                            .object = base.string() + ".o",
                            .dependencies = base.string() + ".d",
                            .openmp = openmp_[i],
                            .separate = separate && is_cuda(sources_.files[i])};
    compiled_.push_back({.translation = std::move(translation), .outcome = {}, .error = {}});
  }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < compiled_.size(); i = next++) compile_one(compiled_[i]);
  };
  const std::size_t workers = std::min<std::size_t>(
      {compiled_.size(), kMostAtOnce, std::max(1u, std::thread::hardware_concurrency())});
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < workers; ++i) others.emplace_back(work);
  work();
}

void Build::compile_one(Compiled& into) const {
  std::vector<std::string> arguments = compile_arguments(sources_, into.translation);
  if (auto checked = check_for_shell(arguments); !checked) {
    into.error = checked.error();
    return;
  }
  into.outcome = run_tool(tools_.nvcc.program, std::move(arguments));
  into.error = error_of(into.outcome, into.translation.source.string(), tools_.nvcc.program);
}

bool Build::needs_separation() const {
  std::vector<WholeCompile> compiles;
  std::vector<std::string> objects;
  objects.reserve(compiled_.size());  // views of them are kept
  for (const Compiled& compiled : compiled_) {
    std::string_view object;
    if (is_cuda(compiled.translation.source) && !compiled.error)
      object = objects.emplace_back(read_file(compiled.translation.object).value_or(""));
    compiles.push_back(
        {.failed = compiled.error.has_value(), .said = compiled.outcome.output, .object = object});
  }
  const auto cuda_files = std::count_if(sources_.files.begin(), sources_.files.end(), is_cuda);
  return needs_separate_compilation(compiles, static_cast<std::size_t>(cuda_files));
}

/// An error other than what a compiler said of a source: a second attempt would meet it again.
std::optional<Error> Build::interruption() const {
  for (const Compiled& compiled : compiled_) {
    if (compiled.error && compiled.error->code != ErrorCode::build_error) return compiled.error;
  }
  return std::nullopt;
}

std::optional<Error> Build::first_error() const {
  for (const Compiled& compiled : compiled_) {
    if (compiled.error) return compiled.error;
  }
  return std::nullopt;
}

Expected<fs::path> Build::link() {
  std::vector<fs::path> parts;
  for (const Compiled& compiled : compiled_) {
    said_ += compiled.outcome.output;
    parts.push_back(compiled.translation.object);
  }
  if (separate_) {
    auto registration = written_registration();
    if (!registration) return registration;
    parts.push_back(std::move(*registration));
  }
  const bool openmp = std::find(openmp_.begin(), openmp_.end(), true) != openmp_.end();
  fs::path executable = folder_ / "program";
  const ChildOutcome outcome =
      run_tool(tools_.linker, link_arguments(sources_, parts, openmp, executable));
  said_ += outcome.output;
  const std::string name = sources_.files.front().string();
  if (auto failed = error_of(outcome, name, tools_.linker)) {
    explain_missing_functions(*failed, outcome.output);
    return tl::unexpected(std::move(*failed));
  }
  return executable;
}

/// The source that hands the parts of separately compiled device code to the runtime.
Expected<fs::path> Build::written_registration() const {
  std::vector<std::string> arguments{"-u"};
  for (const Compiled& compiled : compiled_)
    arguments.push_back(compiled.translation.object.string());
  const ChildOutcome symbols = run_tool(tools_.nm, std::move(arguments));
  if (auto failed = error_of(symbols, sources_.files.front().string(), tools_.nm))
    return tl::unexpected(std::move(*failed));
  fs::path file = folder_ / "registration.cpp";
  const auto written =
      write_file_atomically(file, registration_source(unlinked_modules(symbols.output)));
  if (!written) return tl::unexpected(written.error());
  return file;
}

Expected<std::vector<std::string>> Build::files() const {
  std::set<std::string> files;
  for (const Compiled& compiled : compiled_) {
    const auto rule = read_file(compiled.translation.dependencies);
    if (!rule) return tl::unexpected(rule.error());
    for (const std::string& file : dependencies_in(*rule))
      files.insert((sources_.folder / file).lexically_normal().string());
  }
  return std::vector<std::string>(files.begin(), files.end());
}

Expected<BuiltProgram> build_in(ProgramStore& store, const ProgramSources& sources,
                                const Tools& tools, std::vector<bool> openmp,
                                std::string_view request) {
  const auto folder = store.new_build_folder();
  if (!folder) return tl::unexpected(folder.error());
  // A file's times are those of the system's slower clock, which the new folder has as well.
  std::error_code error;
  const auto begun = fs::last_write_time(folder->path(), error);
  Build build(sources, tools, std::move(openmp), folder->path());
  const auto executable = build.run();
  if (!executable) return tl::unexpected(executable.error());
  auto files = build.files();
  if (!files) return tl::unexpected(files.error());
  return store.keep(request, {.executable = *executable,
                              .name = sources.files.front().stem().string(),
                              .said = build.said(),
                              .files = std::move(*files),
                              .search = search_folders(sources),
                              .begun = begun});
}

/// Names the NVRTC of this computer, if it has one.
void find_nvrtc(ProgramSources& sources, const Nvcc& nvcc) {
  const auto toolkit = find_toolkit();
  if (!toolkit) return;
  std::error_code error;
  sources.nvrtc = toolkit->library;
  if (!fs::exists(nvcc.includes / "nvrtc.h", error))
    sources.nvrtc_headers = toolkit->includes.front();
}

/// With its folders absolute, so that nothing depends on where this process is.
ProgramSources placed(ProgramSources sources) {
  sources.folder = fs::absolute(sources.folder.empty() ? "." : sources.folder).lexically_normal();
  sources.runtime = (sources.folder / sources.runtime).lexically_normal();
  return sources;
}

}  // namespace

Expected<BuiltProgram> build_program(const ProgramSources& asked) {
  if (auto checked = check(asked); !checked) return tl::unexpected(checked.error());
  ProgramSources sources = placed(asked);
  if (auto found = check_runtime(sources.runtime); !found) return tl::unexpected(found.error());
  const auto tools = find_tools();
  if (!tools) return tl::unexpected(tools.error());
  find_nvrtc(sources, tools->nvcc);
  auto openmp = openmp_of(sources);
  if (!openmp) return tl::unexpected(openmp.error());

  ProgramStore store(cache_folder() / "built", {"/usr", tools->nvcc.includes});
  const std::string request = request_of(sources, *tools);
  if (auto known = store.find(request)) return std::move(*known);
  return build_in(store, sources, *tools, std::move(*openmp), request);
}

}  // namespace warpbook::device
