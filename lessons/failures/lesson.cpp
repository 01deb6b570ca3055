// Failures: a launch fails silently, and an error is told later than it is caused.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/common.hpp"
#include "lessons/failures/host_program.hpp"

namespace warpbook::lessons {
namespace {

using failures::HostProgram;
using lab::TrailExhibit;

constexpr std::string_view kNone = "none", kBefore = "-1", kBehind = "8", kFar = "99999999";
constexpr std::string_view kNothing = "none", kCalls = "calls", kLaunches = "launches",
                           kWaits = "waits", kOnce = "once";
constexpr std::array<float, 8> kDrift{0.5f, 1, 0.25f, 0, 2, 0.75f, 1.5f, 0.25f};
constexpr std::int64_t kMissing = 700;  ///< the reading whose station is missing
constexpr std::int64_t kBlock = 256;    ///< threads of a block where nothing is chosen
constexpr std::uint64_t kGiB = 1ull << 30;

/// A day of the weather service: the readings, and from which of the stations each of them came.
struct Day {
  std::vector<float> t, truth;
  std::vector<int> station;

  Day(std::int64_t n, const std::string& missing) {
    constexpr std::array kFirst{12.0f, 18.0f, 11.0f, 19.0f, 9.0f, 14.0f};
    const auto stations = static_cast<std::int64_t>(kDrift.size());
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool is_missing = missing != kNone && i == kMissing;
      station.push_back(is_missing ? std::stoi(missing) : static_cast<int>(i % stations));
      t.push_back(kFirst[at % kFirst.size()]);
      const float drift = is_missing ? 0 : kDrift[at % kDrift.size()];
      truth.push_back((t.back() - drift) * 10);
    }
  }
};

/// "<<<5, 256>>>"
std::string launch_code(const device::Launch& launch) {
  return launch.dynamic_shared == 0 ? fmt::format("<<<{}, {}>>>", launch.grid.x, launch.block.x)
                                    : fmt::format("<<<{}, {}, {}>>>", launch.grid.x, launch.block.x,
                                                  launch.dynamic_shared);
}

/// The chapter's program: what comes back is in `day.t`.
struct DayRun {
  lab::Lab& lab;
  const std::vector<float> before;  ///< the readings, as the host has them at first
  Day day;
  std::string check;
  HostProgram program;
  std::shared_ptr<const device::LaunchRecord> record;  ///< of `correct`; null where it never ran

  explicit DayRun(lab::Lab& its_lab)
      : lab(its_lab),
        before(Day(its_lab.integer("n"), std::string(kNone)).t),
        day(its_lab.integer("n"), its_lab.choice("missing")),
        check(its_lab.choice("check")),
        program(its_lab, check != kNothing && check != kOnce) {}

  void run(const std::shared_ptr<const device::Module>& correct,
           const std::shared_ptr<const device::Module>& tenths) {
    const auto n = static_cast<std::int64_t>(day.t.size());
    program.call("cudaMalloc(&d_t, bytes);");
    program.call("cudaMalloc(&d_station, bytes);");
    program.call("cudaMalloc(&d_drift, few);");
    const device::Buffer d_t = lab.upload<float>("t", day.t);
    const device::Buffer d_drift = lab.upload<float>("drift", kDrift);
    const device::Buffer d_station = lab.upload<int>("station", day.station);
    program.wait("cudaMemcpy(d_t, t, ...);");
    program.wait("cudaMemcpy(d_station, station, ...);");
    program.wait("cudaMemcpy(d_drift, drift, ...);");

    device::Launch first = launch_of(correct, "", n, lab.integer("threads"),
                                     {pointer_argument(d_t), pointer_argument(d_station),
                                      pointer_argument(d_drift), number_argument(n)});
    first.dynamic_shared = static_cast<std::uint32_t>(lab.integer("shared"));
    record = program.launch("correct" + launch_code(first) + "(d_t, ..., n);", first);
    ask();
    const device::Launch second =
        launch_of(tenths, "", n, kBlock, {pointer_argument(d_t), number_argument(n)});
    program.launch("tenths" + launch_code(second) + "(d_t, n);", second);
    ask();
    if (check == kOnce) program.ask("cudaGetLastError();");
    program.wait("cudaMemcpy(t, d_t, ...);", [&] { day.t = lab.download<float>(d_t); });
    program.host("print(t, n);");
    for (const char* code : {"cudaFree(d_t);", "cudaFree(d_station);", "cudaFree(d_drift);"})
      program.wait(code);
  }

 private:
  /// What the program does behind each launch.
  void ask() {
    if (check == kLaunches || check == kWaits) program.ask("cudaGetLastError();");
    if (check == kWaits) program.wait("cudaDeviceSynchronize();");
  }
};

/// What has become of the table that the host has in the end.
std::string state_of(const DayRun& run) {
  if (run.day.t == run.day.truth) return "corrected";
  if (run.day.t == run.before) return "unchanged";
  const auto ten_times = [](float before, float after) { return after == 10 * before; };
  return std::ranges::equal(run.before, run.day.t, ten_times) ? "uncorrected" : "other";
}

/// What the program writes to the terminal, and its exit code.
lab::TextExhibit written_by(const DayRun& run) {
  const TrailExhibit& trail = run.program.trail();
  if (run.program.ended()) {
    return {{"failures.prints.error",
             {{"line", std::to_string(*trail.told + 1)},
              {"error", device::runtime::text_of_cuda_error(run.program.told())}}},
            true};
  }
  constexpr std::size_t kShown = 6;
  std::string values;
  for (std::size_t i = 0; i < std::min(kShown, run.day.t.size()); ++i)
    values += (i ? " " : "") + lab::figure(run.day.t[i]);
  if (run.day.t.size() > kShown) values += " …";
  return {{"failures.prints.values", {{"values", values}, {"state", state_of(run)}}}, true};
}

lab::BarsExhibit cost_of(const device::LaunchRecord* record) {
  if (!record) return {{"failures.cost.none", {}}, {}};
  return {{"failures.cost.sentence",
           {{"warps", lab::grouped(warps_of(*record))},
            {"instructions", lab::grouped(record->total.warp_instructions)}}},
          {lanes_of(*record)}};
}

/// Memory that both sides use, read by the host before or after it has waited for the kernel.
TrailExhibit early(lab::Lab& lab, const std::shared_ptr<const device::Module>& tenths) {
  HostProgram program(lab, true);
  const std::vector<float> t{12, 18, 11};
  const auto n = static_cast<std::int64_t>(t.size());
  program.call("cudaMallocManaged(&t, bytes);");
  program.host("read(t, n);");
  const device::Buffer buffer = lab.upload<float>("t", t);
  const device::Launch launch =
      launch_of(tenths, "", n, kBlock, {pointer_argument(buffer), number_argument(n)});
  program.launch("tenths" + launch_code(launch) + "(t, n);", launch);
  program.ask("cudaGetLastError();");
  if (lab.toggle("wait")) program.wait("cudaDeviceSynchronize();");
  program.host("print(t, n);");
  if (program.is_running()) program.blame({"failures.how.early", {}, {}});
  program.wait("cudaFree(t);");
  return program.trail();
}

/// Day after day a film is loaded. Where it is not freed, one day there is no room left.
TrailExhibit leak(lab::Lab& lab) {
  HostProgram program(lab, true);
  const std::uint64_t film = static_cast<std::uint64_t>(lab.integer("film")) * kGiB,
                      days = lab.device().properties().global_bytes / film;
  const std::string allocate = "cudaMalloc(&d_film, bytes);";
  program.host("// day 1");
  program.call(allocate);
  if (lab.toggle("freed")) {
    program.wait("cudaFree(d_film);");
    program.host("// and so on, day after day");
    return program.trail();
  }
  program.host("if (no_clouds) continue;  // and no cudaFree");
  program.blame({"failures.how.kept", {{"film", lab::grouped(film / kGiB)}}, {}});
  if (days > 1) program.host(fmt::format("// days 2 to {}: the same", days));
  program.host(fmt::format("// day {}", days + 1));
  program.call(allocate, device::runtime::kMemoryAllocation);
  return program.trail();
}

void failures_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const auto correct = lab.compile("correct");
  const std::string file = "lessons/failures/variants/tenths.cu";
  const auto tenths = lab.compile_source(
      "tenths.cu", lab::require(lab::read_source_file(lab.context().root, file)));

  DayRun run(lab);
  run.run(correct, tenths);
  lab.show({"trail", {"failures.trail"}, counted, run.program.trail()});
  lab.show({"prints", {"failures.prints.title"}, counted, written_by(run)});
  const device::LaunchRecord none;
  lab.show({"check",
            {"failures.check.title"},
            counted,
            check_of("failures.check.", run.record ? *run.record : none, run.day.t, run.day.truth,
                     std::equal_to{}, [](float value) { return lab::figure(value); })});
  lab.show({"cost", {"failures.cost.title"}, counted, cost_of(run.record.get())});
  lab.show({"early", {"failures.early"}, counted, early(lab, tenths)});
  lab.show({"leak", {"failures.leak"}, counted, leak(lab)});
}

// Figures and answers are read off the report.

const TrailExhibit* trail_in(const lab::Report& report, std::string_view id) {
  return report.find_as<TrailExhibit>(id);
}

auto failed_calls(const char* id) {
  return [=](const lab::Report& report) {
    const auto* trail = trail_in(report, id);
    return trail ? lab::grouped(lab::failed_steps(*trail)) : "";
  };
}

auto line_told(const char* id) {
  return [=](const lab::Report& report) -> std::string {
    const auto* trail = trail_in(report, id);
    return trail && trail->told ? std::to_string(*trail->told + 1) : "";
  };
}

/// "cudaMemcpy": the call that tells; "nobody" where there is an error and none tells.
std::string told_by(const lab::Report& report) {
  const auto* trail = trail_in(report, "trail");
  if (!trail || !trail->cause) return {};
  if (!trail->told) return "nobody";
  const std::string_view code = trail->steps[*trail->told].code, open = "CHECK(";
  const std::size_t begin = code.starts_with(open) ? open.size() : 0;
  return std::string(code.substr(begin, code.find('(', begin) - begin));
}

/// The thread whose access is the checker's first finding: "block 2, thread 188".
std::string astray(const lab::Report& report) {
  const auto* trail = trail_in(report, "trail");
  if (!trail || !trail->cause_kernel) return {};
  const auto argument = [&](std::string_view name) {
    const lab::Message* found = device::argument_of(trail->how.arguments, name);
    return found ? found->text : std::string();
  };
  return "block " + argument("block") + ", thread " + argument("thread");
}

/// The day on which no memory is left, or "never".
std::string last_day(const lab::Report& report) {
  const auto* trail = trail_in(report, "leak");
  if (!trail) return {};
  if (!trail->told) return "never";
  constexpr std::string_view kDay = "// day ";
  return trail->steps[*trail->told - 1].code.substr(kDay.size());
}

/// What the host reads of memory that both sides use.
std::string read_by_host(const lab::Report& report) {
  const auto* trail = trail_in(report, "early");
  return !trail ? "" : trail->cause ? "unknown" : "120 180 110";
}

}  // namespace

lab::Lesson failures_chapter() {
  lab::Lesson lesson;
  lesson.slug = "failures";
  const std::string words = "failures.parameter.", presets = "failures.preset.";
  using Names = std::vector<std::string>;
  const auto choices = [&](const std::string& name, std::initializer_list<std::string_view> all) {
    return choice(words, name, Names(all.begin(), all.end()));
  };
  const auto toggle = [&](const std::string& name) {
    lab::Parameter made{name, {words + name}, {}};
    made.type = lab::Parameter::Type::toggle;
    made.initial = false;
    return made;
  };
  lesson.parameters = {whole_number(words, "n", "failures.unit.readings", 1025, 701, 4096),
                       whole_number(words, "threads", "failures.unit.threads", 1025, 1, 1100),
                       whole_number(words, "shared", "failures.unit.bytes", 0, 0, 65536),
                       choices("missing", {kNone, kBefore, kBehind, kFar}),
                       choices("check", {kNothing, kCalls, kLaunches, kWaits, kOnce}),
                       toggle("wait"),
                       whole_number(words, "film", "failures.unit.gib", 16, 1, 64),
                       toggle("freed")};
  using Int = std::int64_t;
  const std::string far(kFar), launches(kLaunches);
  lesson.presets = {
      preset(presets, "refused", {}),
      preset(presets, "astray", {{"threads", kBlock}, {"missing", far}, {"check", launches}}),
      preset(presets, "silent",
             {{"threads", kBlock}, {"missing", std::string(kBefore)}, {"check", launches}}),
      preset(presets, "leak", {{"threads", kBlock}, {"film", Int{32}}}),
      preset(presets, "bottleneck", {{"threads", Int{1}}, {"check", launches}})};
  lesson.slots = {{"correct", "lessons/failures/variants/correct.cu", {}}};
  lesson.experiment = failures_experiment;
  lesson.figures = {
      {"failed", failed_calls("trail")},
      {"told-line", line_told("trail")},
      {"told-by", told_by},
      {"astray", astray},
      {"last-day", last_day},
      {"warps", [](const lab::Report& r) { return text_argument(r, "cost", "warps"); }},
      {"instructions",
       [](const lab::Report& r) { return text_argument(r, "cost", "instructions"); }}};
  lesson.answers = {
      {"table", [](const lab::Report& r) { return text_argument(r, "prints", "state"); }},
      {"failed", failed_calls("trail")},
      {"told-by", told_by},
      {"astray", astray},
      {"last-day", last_day},
      {"read", read_by_host},
      {"warps", [](const lab::Report& r) { return text_argument(r, "cost", "warps"); }}};
  lesson.exercises = {"error-macro", "mend-launch", "mend-access", "mend-leak"};
  return lesson;
}

}  // namespace warpbook::lessons
