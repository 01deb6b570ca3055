// Profiling: name the bottleneck before mending it.
#include <algorithm>
#include <any>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/gpu_table.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/exhibits/timings/estimate_text.hpp"
#include "lab/experiment/host_side.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/levels.hpp"
#include "lessons/profiling/runs.hpp"

namespace warpbook::lessons {
namespace {

using namespace profiling;
using lab::Message;
using Record = std::shared_ptr<const device::LaunchRecord>;

/// Of turns.cu: where thread 0 adds up the parts, and the others wait for it.
constexpr std::pair<std::uint32_t, std::uint32_t> kLoopLines{15, 20};
/// The versions of the table of counters, and their columns.
constexpr std::array<const char*, 4> kCounted{"thread", "turns", "wide", "kept"};

const Ran& ran_of(const std::vector<Ran>& all, std::string_view name) {
  return *std::ranges::find_if(all, [&](const Ran& ran) { return ran.version.name == name; });
}

Message name_of_version(const std::string& version) { return {"profiling.version." + version}; }

/// A count of the whole grid, of which perhaps only some blocks ran.
std::uint64_t of_grid(const device::LaunchRecord& record, std::uint64_t count) {
  if (!record.estimate || record.estimate->blocks_run == 0) return count;
  return count / record.estimate->blocks_run * record.estimate->blocks;
}

/// Requests of the instructions that load from global memory.
std::uint64_t load_requests(const device::LaunchRecord& record) {
  std::uint64_t requests = 0;
  for (const device::InstructionCounters& i : record.instructions)
    requests += i.counters.global_load_sectors != 0 ? i.counters.global_requests : 0;
  return requests;
}

double sectors_a_request(const device::LaunchRecord& record) {
  const std::uint64_t requests = load_requests(record);
  return requests == 0 ? 0
                       : static_cast<double>(record.total.global_load_sectors) /
                             static_cast<double>(requests);
}

/// The warps that are resident on the busiest multiprocessor, as a share of those that it has places for: a small grid has fewer
/// blocks than would fit.
double occupancy_of(const device::Properties& gpu, const device::LaunchRecord& record) {
  const std::uint64_t dealt = (record.grid.count() + gpu.multiprocessors - 1) / gpu.multiprocessors;
  const auto resident = std::min<std::uint64_t>(record.estimate->resident_blocks, dealt);
  return static_cast<double>(resident * record.block.count()) / gpu.max_threads_per_multiprocessor;
}

/// What a profiler counts of four versions.
void show_counters(lab::Lab& lab, const std::vector<Ran>& all) {
  lab::BarsExhibit bars{{"profiling.counters.says"}, {}};
  device::Evidence time;
  for (const char* name : kCounted) {
    const Ran& ran = ran_of(all, name);
    const device::LaunchRecord& record = *ran.record;
    if (!record.estimate) return;
    const device::Estimate& estimate = *record.estimate;
    time = estimate.time;
    std::size_t counter = 0;
    const auto add = [&](const char* what, double value, const std::string& text) {
      if (counter == bars.groups.size())
        bars.groups.push_back({{std::string("profiling.counters.") + what}, {}});
      bars.groups[counter++].bars.push_back({name_of_version(name), value, text});
    };
    const auto add_count = [&](const char* what, std::uint64_t count) {
      add(what, static_cast<double>(count), lab::grouped(count));
    };
    const std::uint64_t registers = ran.registers.value_or(0);
    const double occupancy = 100 * occupancy_of(lab.device().properties(), record);
    add_count("grid", record.grid.count());
    add("waves", estimate.waves, lab::number(estimate.waves, 2));
    add_count("registers", registers);
    add("occupancy", occupancy, lab::number(occupancy, 3) + " %");
    add_count("requests", of_grid(record, load_requests(record)));
    add("sectors", sectors_a_request(record), lab::number(sectors_a_request(record), 3));
    add_count("shared", of_grid(record, record.total.shared_wavefronts));
    add("lanes", record.mean_active_lanes, lab::number(record.mean_active_lanes, 3));
    add("dram", estimate.dram_bytes,
        lab::byte_count(static_cast<std::uint64_t>(estimate.dram_bytes)));
    add("time", estimate.seconds, lab::duration(estimate.seconds));
    bars.says.arguments.emplace_back(std::string(name) + "_registers", std::to_string(registers));
    bars.says.arguments.emplace_back(std::string(name) + "_blocks",
                                     std::to_string(estimate.resident_blocks));
  }
  lab.show({"counters", {"profiling.counters.title"}, time, std::move(bars)});
}

/// How long each version takes, and what holds it up.
void show_versions(lab::Lab& lab, const std::vector<Ran>& all) {
  lab::TimingsExhibit times{{"profiling.versions.what"}, {}};
  for (const Ran& ran : all) {
    if (ran.record->estimate)
      times.rows.push_back(
          lab::timing_of(name_of_version(ran.version.name), *ran.record->estimate));
  }
  lab.show({"versions", {"profiling.versions.title"}, std::nullopt, std::move(times)});
}

/// The multiprocessors that have blocks of the first version.
void show_busy(lab::Lab& lab, const device::LaunchRecord& record) {
  const device::Properties& gpu = lab.device().properties();
  const std::uint64_t blocks = record.grid.count();
  lab.show({"busy",
            {"profiling.busy.title"},
            device::Evidence{device::EvidenceKind::counted, lab.device_name(), {}},
            lab::TextExhibit{
                {"profiling.busy.sentence",
                 {{"blocks", lab::grouped(blocks)},
                  {"busy", std::to_string(std::min<std::uint64_t>(blocks, gpu.multiprocessors))},
                  {"all", std::to_string(gpu.multiprocessors)},
                  {"threads", lab::grouped(record.grid.count() * record.block.count())},
                  {"places", lab::grouped(std::uint64_t{gpu.multiprocessors} *
                                          gpu.max_threads_per_multiprocessor)}}}}});
}

/// Bytes that the loads of a full multiprocessor ask for at once: one load by each lane of each of its warps.
std::uint64_t bytes_in_flight(const device::Properties& gpu, const device::LaunchRecord& record) {
  std::uint64_t each = 0;
  for (const device::InstructionCounters& i : record.instructions) {
    if (i.counters.global_load_sectors != 0 && i.counters.thread_instructions != 0)
      each = std::max(each, i.counters.global_bytes_asked / i.counters.thread_instructions);
  }
  const double threads = record.estimate->occupancy * gpu.max_threads_per_multiprocessor;
  return each * static_cast<std::uint64_t>(threads);
}

/// Little's law: what has to be on its way so that DRAM works without a pause, and what is.
void show_flight(lab::Lab& lab, const std::vector<Ran>& all) {
  const device::Properties& gpu = lab.device().properties();
  if (!gpu.simulated) return;
  const double latency = device::rates_of(gpu).dram_latency;
  const double needed =
      device::memory_rate(gpu) * latency / (gpu.clock_khz * 1e3) / gpu.multiprocessors;
  Message sentence{"profiling.flight.sentence",
                   {{"needed", lab::byte_count(static_cast<std::uint64_t>(needed))},
                    {"latency", lab::number(latency)}}};
  device::Evidence time;
  for (const char* name : {"turns", "wide"}) {
    const Record& record = ran_of(all, name).record;
    if (!record->estimate) return;
    time = record->estimate->time;
    sentence.arguments.emplace_back(std::string(name),
                                    lab::byte_count(bytes_in_flight(gpu, *record)));
  }
  lab.show({"flight", {"profiling.flight.title"}, time, lab::TextExhibit{std::move(sentence)}});
}

/// The whole program: the table is copied once, and then, each hour, the readings of that hour, before the anomalies are computed.
void show_program(lab::Lab& lab, const Table& table, const device::LaunchRecord& record) {
  constexpr int kHours = 3;
  using device::runtime::Engine;
  const device::runtime::CopyModel copies(lab.device().properties());
  lab::HostSide host;
  const auto copy_in = [&](std::int64_t readings) {
    const auto bytes = static_cast<std::uint64_t>(readings) * sizeof(float);
    host.ask_and_wait("cudaMemcpy", {Engine::copy_in, "x", copies.over_link(bytes, false), bytes});
  };
  copy_in(table.rows * table.hours);
  for (int hour = 0; hour < kHours; ++hour) {
    copy_in(table.rows * table.hours / kYear);
    host.ask("cudaLaunchKernel", lab::HostSide::launch_of(record));
  }
  const lab::TimelineExhibit timeline =
      host.timeline(Message::plain(lab.device().properties().name));
  lab.show({"program", {"profiling.program.title"}, timeline.times, timeline});
}

/// A kernel that the chapter does not mend: what limits it, and how long it takes.
void show_day_before(lab::Lab& lab, const device::LaunchRecord& record) {
  if (!record.estimate) return;
  const device::Estimate& estimate = *record.estimate;
  lab.show({"day-before",
            {"profiling.day-before.title"},
            estimate.time,
            lab::TextExhibit{{"profiling.day-before.sentence",
                              {{"limiter", estimate.limiter},
                               {"time", lab::duration(estimate.seconds)},
                               {"why", lab::bottleneck_of(estimate)}}}}});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void profiling_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const Table table(lab);
  compile_versions_soon(lab, table);
  const std::size_t count = versions().size();
  std::any calls, by_hour, day_before;
  std::vector<std::any> ran(count);
  std::vector<lab::Lab::Part> parts{
      lab::remembered({.name = "profiling/year",
                       .unread = {"stations", "over", "block"},
                       .run = [&](lab::Lab& part) { calls = show_year(part, counted); },
                       .gives = &calls})};
  for (std::size_t i = 0; i < count; ++i) {
    const Version& version = versions()[i];
    std::vector<std::string_view> unread;
    if (version.owner != Owner::thread) unread.emplace_back("block");
    parts.push_back(lab::remembered(
        {.name = "profiling/" + version.name,
         .unread = std::move(unread),
         .run = [&,
                 i](lab::Lab& part) { ran[i] = run_version(part, table, versions()[i], counted); },
         .gives = &ran[i]}));
  }
  parts.push_back(lab::remembered({.name = "profiling/by-hour",
                                   .run =
                                       [&](lab::Lab& part) {
                                         if (!part.leaves_out())
                                           by_hour = WholeTable(part, table).run_by_hour();
                                       },
                                   .gives = &by_hour}));
  parts.push_back(lab::remembered(
      {.name = "profiling/day-before",
       .unread = {"block"},
       .run = [&](lab::Lab& part) { day_before = WholeTable(part, table).run_day_before(); },
       .gives = &day_before}));
  lab.side_by_side(parts);
  std::vector<Ran> all;
  for (const std::any& one : ran) all.push_back(std::any_cast<const Ran&>(one));
  const device::LaunchRecord& thread = *ran_of(all, "thread").record;
  show_program(lab, table, thread);
  show_busy(lab, thread);
  if (!lab.leaves_out())
    show_levels(lab, "profiling.", "layout", thread, *std::any_cast<const Record&>(by_hour),
                {"l1", "time"});
  show_versions(lab, all);
  show_counters(lab, all);
  show_flight(lab, all);
  std::vector<lab::RooflineRun> runs;
  for (const char* name : {"thread", "kept"})
    runs.push_back({name_of_version(name), {ran_of(all, name).record}});
  show_roofline(lab, "profiling.roofline.title", runs, "");
  show_day_before(lab, *std::any_cast<const Record&>(day_before));
  lab.show({"geometry", {"profiling.geometry"}, counted, lab::geometry_of(thread)});
  show_calls(lab, std::any_cast<const Message&>(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::TimingsExhibit::Row* row_of(const lab::Report& report, std::string_view version) {
  const auto* times = report.find_as<lab::TimingsExhibit>("versions");
  if (!times) return nullptr;
  const auto row = std::ranges::find_if(times->rows, [&](const auto& one) {
    return one.label == name_of_version(std::string(version));
  });
  return row == times->rows.end() ? nullptr : &*row;
}

/// How much faster `after` is by the estimate: "no" where less than a tenth, "some" below five times, "much".
std::string gain(double before, double after) {
  constexpr double kSome = 1.1, kMuch = 5;
  if (before <= 0 || after <= 0) return {};
  return before < kSome * after ? "no" : before < kMuch * after ? "some" : "much";
}

std::string gain_of(const lab::Report& report, std::string_view before, std::string_view after) {
  const auto *one = row_of(report, before), *two = row_of(report, after);
  return one && two ? gain(one->seconds, two->seconds) : "";
}

std::string gain_by_hour(const lab::Report& report) {
  const std::string ratio = text_argument(report, "layout", "time_ratio");
  return ratio.empty() ? "" : gain(std::stod(ratio), 1);
}

/// The line of a version's source that has the most of its time.
std::string slowest_line(const lab::Report& report, std::string_view slot) {
  const auto* source = report.find_as<lab::SourceExhibit>(slot);
  if (!source || source->lines.empty()) return {};
  const auto most = std::ranges::max_element(
      source->lines, {}, [](const auto& line) { return lab::heat_of(lab::Heat::time, line); });
  return most->estimated.empty() ? "" : std::to_string(most->line);
}

/// The part of a version's time that lines have, from the first to the last, in per cent.
std::string share_of_lines(const lab::Report& report, std::string_view slot,
                           std::pair<std::uint32_t, std::uint32_t> lines) {
  const auto* source = report.find_as<lab::SourceExhibit>(slot);
  if (!source) return {};
  std::uint64_t all = 0, some = 0;
  for (const auto& line : source->lines) {
    const std::uint64_t time = lab::heat_of(lab::Heat::time, line);
    all += time;
    if (lines.first <= line.line && line.line <= lines.second) some += time;
  }
  return all == 0 ? ""
                  : lab::number(100.0 * static_cast<double>(some) / static_cast<double>(all), 2);
}

auto text_of(const char* id, const char* name) {
  return [=](const lab::Report& report) { return text_argument(report, id, name); };
}

}  // namespace

lab::Lesson profiling_chapter() {
  lab::Lesson lesson;
  lesson.slug = "profiling";
  const std::string words = "profiling.parameter.", presets = "profiling.preset.";
  lesson.parameters = {whole_number(words, "stations", "profiling.unit.stations", 4096, 64, 4096),
                       choice(words, "over", {"year", "pentad", "day"}),
                       choice(words, "block", {"32", "64", "128", "256"}, "128")};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "year", {}),
                    preset(presets, "small-blocks", {{"block", std::string("32")}}),
                    preset(presets, "pentads", {{"over", std::string("pentad")}}),
                    preset(presets, "few", {{"stations", Int{100}}})};
  const std::string folder = "lessons/profiling/variants/";
  // The page's directives put other kernels into the first slot.
  for (const char* slot : {"turns", "thread", "wide", "kept"})
    lesson.slots.push_back({slot, folder + slot + ".cu", {}});
  lesson.experiment = profiling_experiment;
  lesson.figures = {
      {"busy", text_of("busy", "busy")},
      {"multiprocessors", text_of("busy", "all")},
      {"places", text_of("busy", "places")},
      {"needed", text_of("flight", "needed")},
      {"flight-turns", text_of("flight", "turns")},
      {"flight-wide", text_of("flight", "wide")},
      {"day-before-time", text_of("day-before", "time")},
      {"loop-share", [](const lab::Report& r) { return share_of_lines(r, "turns", kLoopLines); }},
      {"kept-registers", text_of("counters", "kept_registers")},
      {"kept-blocks", text_of("counters", "kept_blocks")}};
  for (const Version& version : versions()) {
    const std::string& name = version.name;
    const auto figure = [&](const char* suffix, auto member) {
      lesson.figures.push_back({name + suffix, [name, member](const lab::Report& r) {
                                  const auto* row = row_of(r, name);
                                  return row ? lab::duration(row->*member) : "";
                                }});
    };
    figure("-time", &lab::TimingsExhibit::Row::seconds);
    figure("-low", &lab::TimingsExhibit::Row::low);
    figure("-high", &lab::TimingsExhibit::Row::high);
  }
  std::ranges::move(level_figures("layout", "station", "hour"), std::back_inserter(lesson.figures));
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"busy", text_of("busy", "busy")},
      {"gain-by-hour", gain_by_hour},
      {"slowest-line", [](const lab::Report& r) { return slowest_line(r, "turns"); }},
      {"flight", text_of("flight", "turns")},
      {"kept-blocks", text_of("counters", "kept_blocks")},
      {"day-before", text_of("day-before", "limiter")},
      {"gain-shuffles", [](const lab::Report& r) { return gain_of(r, "turns", "shuffles"); }}};
  lesson.exercises = {"diagnose", "mend-bottlenecks"};
  return lesson;
}

}  // namespace warpbook::lessons
