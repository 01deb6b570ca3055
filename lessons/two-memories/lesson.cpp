// Two memories: a pointer belongs to a side, a launch returns at once, and a copy can cost more than the work.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/memories/memories_summary.hpp"
#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/common.hpp"
#include "lessons/two-memories/processing.hpp"

namespace warpbook::lessons {
namespace {

using namespace two_memories;
using lab::Message;
using Activity = lab::TimelineExhibit::Activity;

/// Bytes a second that the CPU of the text's computer moves: what two channels of DDR4-3200 memory, 51.2 GB/s by their standard,
/// leave to a loop.
constexpr double kCpuRate = 40e9;
/// Elements of a table that is shown.
constexpr std::int64_t kMostShown = 1024;

/// A table as people write it: three rows where that is possible.
std::vector<std::uint64_t> shape_of(std::int64_t n) {
  const auto count = static_cast<std::uint64_t>(n);
  return n % 3 == 0 ? std::vector<std::uint64_t>{3, count / 3} : std::vector<std::uint64_t>{count};
}

// What the timeline says.

/// Seconds of the host's calls that allocate or free.
double allocating(const lab::TimelineExhibit& timeline) {
  double seconds = 0;
  for (const auto& span : timeline.spans) {
    const std::string_view name = span.label;
    if (span.activity == Activity::host_call &&
        (name.starts_with("cudaMalloc") || name.starts_with("cudaFree")))
      seconds += lab::seconds_of(span);
  }
  return seconds;
}

/// Seconds that a launch keeps the host.
double launch_call(const lab::TimelineExhibit& timeline) {
  const auto launch = std::ranges::find_if(timeline.spans, [](const auto& span) {
    return span.activity == Activity::host_call && span.label == "cudaLaunchKernel";
  });
  return launch == timeline.spans.end() ? 0 : lab::seconds_of(*launch);
}

/// Seconds that the CPU would need for all launches: as long as its memory takes for what the threads asked for. `record`: of one of
/// them; null where there is none.
double cpu_seconds(const Setting& setting, const device::LaunchRecord* record) {
  if (!record) return 0;
  double bytes = static_cast<double>(record->total.global_bytes_asked);
  const auto& estimate = record->estimate;
  if (estimate && estimate->blocks_run != 0)
    bytes *= static_cast<double>(estimate->blocks) / static_cast<double>(estimate->blocks_run);
  return bytes * static_cast<double>(setting.launches * setting.tables) / kCpuRate;
}

/// From how many launches on the GPU is faster, all else the same; 0: never.
std::int64_t crossing(const Setting& setting, double total, double kernels, double cpu) {
  const auto launches = static_cast<double>(setting.launches);
  const double gained = (cpu - kernels) / launches;
  return gained > 0 ? static_cast<std::int64_t>(std::floor((total - kernels) / gained)) + 1 : 0;
}

void show_cost(lab::Lab& lab, const Setting& setting, const lab::TimelineExhibit& timeline,
               const device::LaunchRecord* record) {
  const lab::TimelineShares shares = lab::shares_of(timeline);
  const double cpu = cpu_seconds(setting, record), allocations = allocating(timeline);
  const double ratio = shares.kernels > 0 ? shares.copies / shares.kernels : 0;
  const std::vector<std::pair<const char*, double>> parts{
      {"allocations", allocations}, {"copies", shares.copies}, {"kernels", shares.kernels}};
  const auto longest = std::ranges::max_element(parts, {}, [](const auto& p) { return p.second; });
  const auto bar = [](const char* label, double seconds) {
    return lab::BarsExhibit::Bar{{label}, seconds, lab::duration(seconds)};
  };
  std::vector<lab::BarsExhibit::Bar> bars{bar("two-memories.cost.copies", shares.copies)};
  if (record) bars.push_back(bar("two-memories.cost.kernels", shares.kernels));
  bars.push_back(bar("two-memories.cost.allocations", allocations));
  bars.push_back(bar("two-memories.cost.total", shares.total));
  if (record) bars.push_back(bar("two-memories.cost.cpu", cpu));
  lab.show(
      {"cost",
       {"two-memories.cost.title"},
       timeline.times,
       lab::BarsExhibit{
           {record ? "two-memories.cost.sentence" : "two-memories.cost.no-kernel",
            {{"copies", lab::duration(shares.copies)},
             {"kernels", lab::duration(shares.kernels)},
             {"allocations", lab::duration(allocations)},
             {"call", lab::duration(launch_call(timeline))},
             {"total", lab::duration(shares.total)},
             {"cpu", lab::duration(cpu)},
             {"ratio", lab::number(ratio, 2)},
             {"magnitude", std::to_string(std::lround(std::log10(std::max(ratio, 1.0))))},
             {"longest", longest->first},
             {"winner", shares.total < cpu ? "gpu" : "cpu"},
             {"crossing", std::to_string(crossing(setting, shares.total, shares.kernels, cpu))}}},
           {{{"two-memories.cost.bars"}, std::move(bars)}}}});
}

/// Gives a kernel the address of an array on the host, as a program would by mistake.
void show_sides(lab::Lab& lab, const std::shared_ptr<const device::Module>& plus) {
  const std::vector<float> on_host{12};
  const auto address = reinterpret_cast<device::Pointer>(on_host.data());
  device::Launch launch = launch_of(
      plus, "", 1, 1,
      {device::Argument::pointer(address), device::Argument::of(kDegrees), number_argument(1)});
  launch.stop = lab.context().stop;
  const auto record = lab::require(lab.device().launch(std::move(launch)).wait());
  (void)lab.device().synchronise();  // the error that is wanted here is not to be told again
  const device::Error* error = record->error              ? &*record->error
                               : record->findings.empty() ? nullptr
                                                          : &record->findings.front().error;
  const std::string line = error ? std::to_string(error->place.line) : "";
  lab.show({"sides",
            {"two-memories.sides.title"},
            device::Evidence{device::EvidenceKind::counted, lab.device_name(), {}},
            lab::TextExhibit{{error ? "two-memories.sides.refused" : "two-memories.sides.accepted",
                              {{"outcome", error ? "fault" : "works"}, {"line", line}}}}});
}

void two_memories_experiment(lab::Lab& lab) {
  const Setting setting(lab);
  const auto plus = lab.compile("plus");
  Processing processing(lab, setting, plus);
  processing.run();

  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const lab::TimelineExhibit timeline = processing.timeline();
  lab.show({"memories", {"two-memories.memories"}, counted, processing.memories()});
  lab.show({"timeline", {"two-memories.timeline"}, timeline.times, timeline});
  if (setting.whole()) {
    const std::vector<float>& result = processing.result();
    const std::vector<float> truth = processing.truth();
    if (setting.n <= kMostShown) {
      lab::TensorExhibit table = tensor_of(processing.result_name(), result, shape_of(setting.n));
      for (std::size_t i = 0; i < result.size(); ++i)
        if (result[i] != truth[i]) table.wrong.push_back(i);
      lab.show({"table", {"two-memories.table"}, counted, std::move(table)});
    }
    const device::LaunchRecord none;
    lab.show(
        {"check",
         {"two-memories.check.title"},
         counted,
         check_of("two-memories.check.", processing.record() ? *processing.record() : none, result,
                  truth, std::equal_to{}, [](float value) { return lab::figure(value); })});
  }
  if (setting.whole() && processing.record()) {
    lab.show(
        {"geometry", {"two-memories.geometry"}, counted, lab::geometry_of(*processing.record())});
  }
  if (timeline.times) show_cost(lab, setting, timeline, processing.record().get());
  show_sides(lab, plus);
}

// Figures and answers are read off the report.

auto cost(const char* name) {
  return [=](const lab::Report& report) { return text_argument(report, "cost", name); };
}

std::string crossed(const lab::Report& report) {
  const auto* memories = report.find_as<lab::MemoriesExhibit>("memories");
  return memories ? std::to_string(lab::bytes_across(*memories, true) +
                                   lab::bytes_across(*memories, false))
                  : "";
}

/// How many calls the host made whose name begins so.
auto calls_named(std::string_view prefix) {
  return [=](const lab::Report& report) -> std::string {
    const auto* timeline = report.find_as<lab::TimelineExhibit>("timeline");
    if (!timeline) return {};
    return lab::grouped(
        static_cast<std::uint64_t>(std::ranges::count_if(timeline->spans, [&](const auto& span) {
          return span.activity == Activity::host_call && span.label.starts_with(prefix);
        })));
  };
}

/// How long the launch kept the host, as against the kernel itself.
std::string launch_returns(const lab::Report& report) {
  const auto* timeline = report.find_as<lab::TimelineExhibit>("timeline");
  if (!timeline || !timeline->times) return {};
  constexpr double kFarShorter = 0.1;
  return launch_call(*timeline) < kFarShorter * lab::shares_of(*timeline).kernels ? "at-once"
                                                                                  : "after-kernel";
}

bool reads_what_nobody_wrote(const lab::Report& report) {
  return std::ranges::any_of(report.errors, [](const device::Error& error) {
    return error.code == device::ErrorCode::uninitialised_read;
  });
}

/// The table as the host has it: its first values, "unknown" where they depend on memory that nothing has written.
std::string table_values(const lab::Report& report) {
  if (reads_what_nobody_wrote(report)) return "unknown";
  const auto* table = report.find_as<lab::TensorExhibit>("table");
  if (!table) return {};
  constexpr std::uint64_t kShown = 6;
  std::string text;
  for (std::uint64_t i = 0; i < std::min(lab::count(*table), kShown); ++i)
    text += (i ? " " : "") + element_text(*table, i);
  return text;
}

}  // namespace

lab::Lesson two_memories_chapter() {
  lab::Lesson lesson;
  lesson.slug = "two-memories";
  const std::string words = "two-memories.parameter.", presets = "two-memories.preset.";
  const auto toggle = [&](const std::string& name, bool on) {
    lab::Parameter made{name, {words + name}, {}};
    made.type = lab::Parameter::Type::toggle;
    made.initial = on;
    return made;
  };
  using Names = std::vector<std::string>;
  const auto choices = [&](const std::string& name, std::initializer_list<std::string_view> all) {
    return choice(words, name, Names(all.begin(), all.end()));
  };
  lesson.parameters = {whole_number(words, "n", "two-memories.unit.readings", 6, 1, 100'000'000),
                       choices("work", {kThereAndBack, kPlusFive, kSum}),
                       choices("memory", {kPageable, kPinned, kManaged, kMapped}),
                       whole_number(words, "launches", "", 1, 1, 64),
                       whole_number(words, "tables", "", 1, 1, 16),
                       choices("anew", {kOnce, kByMalloc, kByPool}),
                       toggle("copy_in", true),
                       toggle("copy_back", true),
                       toggle("wait", false)};
  using Int = std::int64_t;
  lesson.presets = {
      preset(presets, "there-and-back", {}),
      preset(presets, "two-tables", {{"n", Int{9}}, {"work", std::string(kSum)}}),
      preset(presets, "hundred-million", {{"n", Int{100'000'000}}, {"work", std::string(kSum)}})};
  lesson.slots = {{"plus", "lessons/two-memories/variants/plus.cu", {}},
                  {"sum", "lessons/two-memories/variants/sum.cu", {}}};
  lesson.experiment = two_memories_experiment;
  lesson.figures = {{"copies", cost("copies")},
                    {"kernels", cost("kernels")},
                    {"call", cost("call")},
                    {"total", cost("total")},
                    {"cpu", cost("cpu")},
                    {"allocations", cost("allocations")},
                    {"ratio", cost("ratio")},
                    {"crossing", cost("crossing")},
                    {"crossed", crossed},
                    {"table", table_values},
                    {"mallocs", calls_named("cudaMalloc")},
                    {"memcpys", calls_named("cudaMemcpy")},
                    {"launched", calls_named("cudaLaunchKernel")}};
  lesson.answers = {
      {"handed", [](const lab::Report& r) { return text_argument(r, "sides", "outcome"); }},
      {"table", table_values},
      {"crossed", crossed},
      {"launch-returns", launch_returns},
      {"magnitude", cost("magnitude")},
      {"winner", cost("winner")},
      {"crossing", cost("crossing")},
      {"longest", cost("longest")}};
  lesson.exercises = {"whole-program", "keep-on-device", "reuse-allocation"};
  return lesson;
}

}  // namespace warpbook::lessons
