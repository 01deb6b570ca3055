#include "lab/program/source_run.hpp"

#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "device/nvcc/build_program.hpp"
#include "device/runtime/boxed_tool.hpp"
#include "device/unique_fd.hpp"
#include "lab/program/build_words.hpp"
#include "lab/program/reported_run.hpp"
#include "lab/program/written_output.hpp"
#include "lab/text/strings.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;
using device::Severity;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kShownLines = 400;  // of what a program prints: its last ones

/// All but leaks within kernels, as lessons and exercises are checked.
constexpr device::Checks kProgramChecks{.memcheck = true,
                                        .initcheck = true,
                                        .racecheck = true,
                                        .synccheck = true,
                                        .leaks = false,
                                        .whole_barriers = true};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

device::Expected<device::BuiltProgram> build(const SourceRun& run, const device::Properties& gpu,
                                             const std::stop_token& stop) {
  const auto library = device::runtime::library_folder();
  if (!library) return tl::unexpected(library.error());
  device::ProgramSources sources;
  sources.files = {run.file.filename()};
  sources.folder = run.file.parent_path();
  sources.runtime = *library;
  sources.compute_capability = static_cast<std::uint32_t>(gpu.compute_capability);
  sources.stop = stop;
  const auto box = device::runtime::ToolBox::make();
  if (!box) return tl::unexpected(box.error());
  sources.runner = box->as_runner();
  return device::build_program(sources);
}

/// Marks at the lines that the compilers complain about. Their words as one error come back where no line can be told.
std::optional<Error> mark_build(const Error& error, const SourceRun& run, SourceExhibit& source) {
  const Message* said = argument_of(error.arguments, "words");
  if (error.code != ErrorCode::build_error || !said) return error;
  const auto diagnostics =
      diagnostics_of_build(said->text, source.file, run.text, run.file.parent_path().string());
  for (const device::Diagnostic& one : diagnostics)
    source.marks.push_back(
        {one.place.line, one.place.column, one.severity, Message::plain(one.text)});
  const auto is_error = [](const auto& one) { return one.severity == Severity::error; };
  const auto first = std::ranges::find_if(diagnostics, is_error);
  if (first == diagnostics.end()) return error;
  return Error{ErrorCode::compile_error,
               {{"name", source.file},
                {"count", std::ranges::count_if(diagnostics, is_error)},
                {"line", first->place.line},
                {"text", first->text}},
               first->place};
}

/// Marks at the lines of what was found.
void mark_findings(const Report& found, SourceExhibit& source) {
  const auto* check = found.find_as<CheckExhibit>("findings");
  if (!check) return;
  using State = CheckExhibit::State;
  for (const CheckExhibit::Item& item : check->items) {
    const bool failed = item.state == State::failed;
    if (item.line == 0 || (!failed && item.state != State::warning)) continue;
    source.marks.push_back(
        {item.line, 0, failed ? Severity::error : Severity::warning, item.advice});
  }
}

/// The last lines of what it printed; how many come before them is said.
Message end_of(const std::string& text) {
  std::size_t before = text.size();  // the end of the line before those that are shown
  if (text.ends_with('\n')) --before;
  for (std::size_t lines = 0; lines < kShownLines && before != text.npos; ++lines)
    before = before == 0 ? text.npos : text.rfind('\n', before - 1);
  if (before == text.npos) return Message::plain(text);
  const std::string shown = text.substr(before + 1);
  const auto left_out = std::ranges::count(text, '\n') - std::ranges::count(shown, '\n');
  return {"program.output.cut", {{"count", left_out}, {"text", shown}}, {}};
}

void add_written(Report& report, const char* id, const std::string& text) {
  report.exhibits.push_back({id,
                             {std::string("program.title.") + id, {}, {}},
                             std::nullopt,
                             TextExhibit{end_of(printable(text)), true}});
}

void tell(const std::function<void(const Message&)>& progress, const char* what) {
  if (progress) progress({std::string("program.progress.") + what, {}, {}});
}

/// One try at it. Whatever stands in its way is an error.
device::Expected<device::Done> try_source(const SourceRun& run, const device::Properties& gpu,
                                          const std::stop_token& stop,
                                          const std::function<void(const Message&)>& progress,
                                          SourceExhibit& source, SourceResult& result) {
  tell(progress, "building");
  const auto begin = Clock::now();
  const auto built = build(run, gpu, stop);
  result.report.compile_seconds = seconds_since(begin);
  if (!built) {
    const auto left = mark_build(built.error(), run, source);
    return tl::unexpected(left.value_or(built.error()));
  }
  // A program that reads finds its input at an end, instead of waiting for a terminal that the reader may not see.
  const device::UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const auto output = WrittenOutput::make(), errors = WrittenOutput::make();
  if (!output) return tl::unexpected(output.error());
  if (!errors) return tl::unexpected(errors.error());
  tell(progress, "running");
  device::runtime::ProgramRun request;
  request.executable = built->executable;
  request.arguments = run.arguments;
  request.folder = run.file.parent_path();
  request.input = nothing.get();
  request.output = output->fd();
  request.errors = errors->fd();
  request.stop = stop;
  ProgramFacts facts;
  facts.name = source.file;
  facts.gpu = gpu;
  facts.checks = kProgramChecks;
  facts.folder = run.file.parent_path().string();
  facts.source = run.file.string();
  auto ran = run_and_report(std::move(request), facts);
  if (!ran) return tl::unexpected(ran.error());
  result.end = ran->outcome.end;
  result.code = ran->outcome.code;
  mark_findings(ran->report, source);
  const double compile_seconds = result.report.compile_seconds;
  std::vector<Exhibit> exhibits = std::move(ran->report.exhibits);
  result.report = std::move(ran->report);
  result.report.compile_seconds = compile_seconds;
  result.report.exhibits.clear();
  add_written(result.report, "output", output->text());
  if (const std::string text = errors->text(); !text.empty())
    add_written(result.report, "errors", text);
  std::ranges::move(exhibits, std::back_inserter(result.report.exhibits));
  return device::Done{};
}

}  // namespace

SourceResult run_source(const SourceRun& run, const std::stop_token& stop,
                        const std::function<void(const Message&)>& progress) {
  SourceResult result;
  SourceExhibit source;
  source.file = run.file.filename().string();
  source.text = run.text;
  source.settings = true;
  const auto gpu = device::known_gpu(run.gpu);
  const auto done = gpu ? try_source(run, **gpu, stop, progress, source, result)
                        : device::Expected<device::Done>(tl::unexpected(gpu.error()));
  if (!done) result.report.errors.push_back(done.error());
  result.report.exhibits.insert(
      result.report.exhibits.begin(),
      {"source", Message::plain(source.file), std::nullopt, std::move(source)});
  return result;
}

}  // namespace warpbook::lab
