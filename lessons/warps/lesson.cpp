// Warps: lanes issue together while they are at the same instruction, and nothing else about their order is promised.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "device/gpu_table.hpp"
#include "device/occupancy.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/timings/estimate_text.hpp"
#include "lab/exhibits/warp_film/warp_film_of.hpp"
#include "lab/exhibits/warp_film/warp_film_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using lab::Message;

constexpr const char* kWarpVariants = "lessons/warps/variants/";
constexpr std::uint32_t kFilmed = 4000;  ///< instructions of a film
constexpr std::uint64_t kSchedulesTried = 64;
constexpr std::uint32_t kRoundsOfLoads = 4;  ///< of each warp, in the picture of issue slots
/// Times are estimated for so many samples, because with fewer of them a launch takes longer than any kernel. Only some of the
/// blocks run for it.
constexpr std::int64_t kTimed = 1 << 20;
constexpr std::uint64_t kTimedPart = 264;

/// A recording: whole numbers over 32, so that sums of their squares are exact in every order. Some are louder than 1.
std::vector<float> recording(std::int64_t n) {
  std::vector<float> samples;
  for (std::int64_t i = 0; i < n; ++i)
    samples.push_back(static_cast<float>(i * 37 % 101 - 50) / 32);
  return samples;
}

using Defines = std::vector<std::pair<std::string, std::string>>;

Defines defines_of(lab::Lab& lab, std::int64_t run) {
  return {{"RUN", std::to_string(run)}, {"ROUNDS", std::to_string(lab.integer("rounds"))}};
}

// What the host computes, in the kernels' order of operations.

float warm(float s, std::int64_t rounds) {
  for (std::int64_t k = 0; k < rounds; ++k) s = s * (1.25f - 0.3f * s * s);
  return s;
}

float bright(float s, std::int64_t rounds) {
  for (std::int64_t k = 0; k < rounds; ++k) s = s + 0.1f * s * (1 - std::abs(s));
  return s;
}

std::vector<float> mastered(std::span<const float> samples, std::int64_t run, std::int64_t rounds) {
  std::vector<float> out;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool left = static_cast<std::int64_t>(i) / run % 2 == 0;
    out.push_back(left ? warm(samples[i], rounds) : bright(samples[i], rounds));
  }
  return out;
}

/// Compilers may join a product and a sum, which rounds once instead of twice.
bool nearly_equal(float a, float b) { return std::abs(a - b) <= 1e-4f; }

device::WatchedWarp watched_warp(lab::Lab& lab) {
  return {0, static_cast<std::uint32_t>(lab.integer("watch")), kFilmed};
}

lab::ExhibitValue film_of(lab::Lab& lab, const device::LaunchRecord& record,
                          const device::WatchedWarp& watched, const std::string& slot) {
  if (!record.counted) return lab::TextExhibit{{"warps.film.untold", {}, {}}};
  return lab::warp_film_of(record, watched, slot + ".cu", lab.source(slot),
                           lab.choice("rows") == "ptx");
}

/// A launch of a kernel that takes x, out and n.
device::Launch master_launch(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
                             const device::Buffer& d_x, const device::Buffer& d_out,
                             std::int64_t n) {
  return launch_of(module, "", n, lab.integer("block"),
                   {pointer_argument(d_x), pointer_argument(d_out), number_argument(n)});
}

/// The kernel that the reader sees and edits. Gives back what the host asked for until then.
Message master(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t n = lab.integer("n"), run = lab.integer("run"), rounds = lab.integer("rounds");
  const std::vector<float> samples = recording(n);
  const auto module = lab.compile("master", defines_of(lab, run));
  const device::Buffer d_x = lab.upload<float>("x", samples);
  const device::Buffer d_out =
      lab.allocate("out", device::ElementType::f32, static_cast<std::uint64_t>(n));
  device::Launch launch = master_launch(lab, module, d_x, d_out, n);
  launch.observe.watched_warp = watched_warp(lab);
  launch.seed = static_cast<std::uint64_t>(lab.integer("schedule"));
  const auto record = lab.launch(std::move(launch));
  const std::vector<float> out = lab.download<float>(d_out);
  Message calls = host_calls(lab.device());

  lab.show(
      {"film", {"warps.film.title"}, counted, film_of(lab, *record, watched_warp(lab), "master")});
  lab.show({"geometry", {"warps.geometry"}, counted, lab::geometry_of(*record)});
  const auto text = [](float value) { return lab::number(value); };
  lab.show(
      {"check",
       {"warps.check.title"},
       counted,
       check_of("warps.check.", *record, out, mastered(samples, run, rounds), nearly_equal, text)});
  const device::Counters& total = record->total;
  lab.show({"cost",
            {"warps.cost.title"},
            counted,
            lab::BarsExhibit{{"warps.cost.sentence",
                              {{"warps", lab::grouped(warps_of(*record))},
                               {"instructions", lab::grouped(total.warp_instructions)},
                               {"branches", lab::grouped(total.branches)},
                               {"parted", lab::grouped(total.divergent_branches)},
                               {"active", lab::number(record->mean_active_lanes, 3)}}},
                             {lanes_of(*record),
                              {{"warps.cost.branches"},
                               {count_bar({"warps.cost.all-branches"}, total.branches),
                                count_bar({"warps.cost.splitting"}, total.divergent_branches)}}}}});
  lab.show({"time", {"run.time.title"}, std::nullopt, times_of(lab, *record)});
  return calls;
}

device::CompileRequest request_of(lab::Lab& lab, const std::string& name, const Defines& defines) {
  const std::string file = name + ".cu";
  return lab.request_of(
      file, lab::require(lab::read_source_file(lab.context().root, kWarpVariants + file)), defines);
}

std::shared_ptr<const device::Module> compile_variant(lab::Lab& lab, const std::string& name,
                                                      const Defines& defines) {
  return lab::require(lab.device().load(lab.program(request_of(lab, name, defines))));
}

/// `n` samples in d_x through a kernel of the book; `blocks`: how many run for an estimate of time; 0: all.
std::shared_ptr<const device::LaunchRecord> run_over(
    lab::Lab& lab, const std::shared_ptr<const device::Module>& module, const device::Buffer& d_x,
    std::int64_t block, std::uint64_t blocks = 0) {
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, d_x.count());
  const auto n = static_cast<std::int64_t>(d_x.count());
  device::Launch launch = launch_of(
      module, "", n, block, {pointer_argument(d_x), pointer_argument(d_out), number_argument(n)});
  launch.observe.trace_accesses = 0;
  launch.estimate.blocks = blocks;
  return lab.launch(std::move(launch));
}

/// The recording of `n` samples.
std::shared_ptr<const device::LaunchRecord> run_beside(
    lab::Lab& lab, const std::shared_ptr<const device::Module>& module, std::int64_t n,
    std::int64_t block) {
  return run_over(lab, module, lab.upload<float>("x", recording(n)), block);
}

// What the conditions of three branches do to the 32 warps of 1,024 threads.

constexpr std::int64_t kConditionThreads = 1024, kConditionSamples = 1000, kConditionBlock = 256;

/// Warps that part at the tracks' branch, at `run` samples in a row.
std::uint64_t parted_at_tracks(lab::Lab& lab, std::int64_t run) {
  const auto module = compile_variant(lab, "master", defines_of(lab, run));
  return run_beside(lab, module, kConditionThreads, kConditionBlock)->total.divergent_branches;
}

/// Warps that part at the guard, where a block is not filled.
std::uint64_t parted_at_guard(lab::Lab& lab) {
  const auto module = compile_variant(lab, "volume", defines_of(lab, 1));
  return run_beside(lab, module, kConditionSamples, kConditionBlock)->total.divergent_branches;
}

void conditions(lab::Lab& lab, const device::Evidence& counted) {
  const auto bars = [](const char* name, std::uint64_t parted) {
    return std::vector{count_bar({std::string("warps.conditions.") + name}, parted)};
  };
  show_side_by_side(
      lab, "warps.", "conditions", counted, {"parted"},
      {bars("lanes", parted_at_tracks(lab, 1)), bars("warps", parted_at_tracks(lab, 32)),
       bars("guard", parted_at_guard(lab))});
}

// What an `if` becomes: in PTX, and in the machine code that ptxas makes of it.

struct Form {
  std::size_t branches = 0, selects = 0;  ///< in PTX; the guard is one of the branches
  std::optional<std::uint32_t> machine_branches;
  std::uint64_t parted = 0;
};

bool is_conditional_branch(std::string_view instruction) {
  return instruction.starts_with('@') && instruction.find(" bra") != std::string_view::npos;
}

Form form_of(const device::LaunchRecord& record) {
  Form form;
  for (const device::InstructionCounters& each : record.instructions) {
    if (each.text.starts_with("selp")) ++form.selects;
    if (!is_conditional_branch(each.text)) continue;
    ++form.branches;
    if (each.machine_branches)
      form.machine_branches = form.machine_branches.value_or(0) + *each.machine_branches;
  }
  form.parted = record.total.divergent_branches;
  return form;
}

void forms(lab::Lab& lab, const device::Evidence& counted) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  for (const char* kernel : {"volume", "limit", "master"}) {
    const auto module = compile_variant(lab, kernel, defines_of(lab, 1));
    const auto record = run_beside(lab, module, lab.integer("n"), lab.integer("block"));
    const Form form = form_of(*record);
    const Message name{std::string("warps.forms.") + kernel};
    bars.push_back({count_bar(name, form.branches), count_bar(name, form.selects),
                    known_bar(name, form.machine_branches), count_bar(name, form.parted)});
  }
  show_side_by_side(lab, "warps.", "forms", counted, {"branches", "selects", "machine", "parted"},
                    bars);
}

// Waiting for loads.

void slots(lab::Lab& lab) {
  const device::Properties& gpu = lab.device().properties();
  const std::array<std::uint32_t, 3> warps{4, 16, static_cast<std::uint32_t>(lab.integer("warps"))};
  lab::IssueSlotsExhibit made =
      lab::issue_slots_of(static_cast<std::uint32_t>(device::rates_of(gpu).issue),
                          static_cast<std::uint32_t>(lab.integer("latency")),
                          static_cast<std::uint32_t>(lab.integer("work")), kRoundsOfLoads, warps);
  made.chosen = 2;
  lab.show({"slots",
            {"warps.slots.title"},
            device::Evidence{device::EvidenceKind::estimated, Message::plain(gpu.name), {}},
            std::move(made)});
}

/// How many warps blocks of some sizes leave on a multiprocessor, by its limits on threads and blocks.
void block_sizes(lab::Lab& lab) {
  const device::Properties& gpu = lab.device().properties();
  const std::uint32_t room = gpu.max_threads_per_multiprocessor / device::kLanes;
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  for (const std::uint32_t threads : {32u, 64u, 128u, 256u, 512u, 768u, 1024u}) {
    const device::Occupancy fits =
        device::occupancy_of(gpu, {.threads = threads, .registers = {}, .shared = 0});
    const std::uint32_t warps = fits.blocks * ((threads + device::kLanes - 1) / device::kLanes);
    const std::uint32_t full = 100 * warps / room;
    const Message name{"warps.blocks.of", {{"threads", lab::grouped(threads)}}};
    bars.push_back({count_bar(name, fits.blocks),
                    count_bar(name, warps),
                    {name, static_cast<double>(full), std::to_string(full) + " %"}});
  }
  show_side_by_side(lab, "warps.", "blocks", std::nullopt, {"resident", "warps", "full"}, bars);
  const auto threads = static_cast<std::uint32_t>(lab.integer("block"));
  const device::Occupancy fits =
      device::occupancy_of(gpu, {.threads = threads, .registers = {}, .shared = 0});
  lab.show({"resident",
            {"warps.resident.title"},
            std::nullopt,
            lab::TextExhibit{
                {"warps.resident.sentence",
                 {{"gpu", gpu.name},
                  {"threads", lab::grouped(threads)},
                  {"blocks", lab::grouped(fits.blocks)},
                  {"warps",
                   lab::grouped(fits.blocks * ((threads + device::kLanes - 1) / device::kLanes))},
                  {"room", lab::grouped(room)}}}}});
}

// The loudness of each stretch of 32 samples.

std::int64_t whole_stretches(std::int64_t n) {
  return (n + device::kLanes - 1) / device::kLanes * device::kLanes;
}

std::vector<float> energies(std::span<const float> samples) {
  std::vector<float> sums(samples.size() / device::kLanes, 0);
  for (std::size_t i = 0; i < samples.size(); ++i)
    sums[i / device::kLanes] += samples[i] * samples[i];
  return sums;
}

/// By shuffles and a vote.
void meter(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t n = whole_stretches(lab.integer("n"));
  const std::vector<float> samples = recording(n);
  const std::vector<float> truth = energies(samples);
  const auto module = lab.compile("meter");
  const device::Buffer d_x = lab.upload<float>("x", samples);
  const device::Buffer d_energy = lab.allocate("energy", device::ElementType::f32, truth.size()),
                       d_loud = lab.allocate("loud", device::ElementType::i32, truth.size());
  const auto record = lab.launch(launch_of(module, "", n, device::kLanes,
                                           {pointer_argument(d_x), pointer_argument(d_energy),
                                            pointer_argument(d_loud), number_argument(n)}));
  const std::vector<float> energy = lab.download<float>(d_energy);
  const std::vector<int> loud = lab.download<int>(d_loud);
  const auto text = [](float value) { return lab::number(value); };
  lab.show({"meter-check",
            {"warps.meter.check"},
            counted,
            check_of("warps.meter.", *record, energy, truth, nearly_equal, text)});
  const std::uint64_t warps = warps_of(*record);
  lab.show(
      {"meter-cost",
       {"warps.meter.title"},
       counted,
       lab::TextExhibit{{"warps.meter.sentence",
                         {{"shuffles", lab::grouped(record->total.shuffles)},
                          {"votes", lab::grouped(record->total.votes)},
                          {"warps", lab::grouped(warps)},
                          {"each", lab::grouped(warps == 0 ? 0 : record->total.shuffles / warps)},
                          {"energy", lab::number(energy.front())},
                          {"loud", std::to_string(loud.front())}}}}});
}

/// A sum by memory under one schedule. It looks for races, which are no error of the run, only where a warp is watched: the page
/// shows a kernel that has some.
struct AddedUp {
  std::vector<float> sums;  ///< one for each stretch
  std::shared_ptr<const device::LaunchRecord> record;
};

AddedUp add_up(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
               std::span<const float> squares, std::uint64_t schedule,
               const device::WatchedWarp& watched = {}) {
  const device::Buffer d_part = lab.upload<float>("part", squares);
  device::Launch launch =
      launch_of(module, "", std::ssize(squares), device::kLanes, {pointer_argument(d_part)});
  launch.seed = schedule;
  launch.observe.watched_warp = watched;
  launch.observe.racecheck = watched.issues != 0;
  launch.observe.trace_accesses = 0;
  launch.stop = lab.context().stop;
  launch.budget.thread_instructions = lab.context().budget.thread_instructions;
  AddedUp made;
  made.record = lab::require(lab.device().launch(std::move(launch)).wait());
  const std::vector<float> parts = lab.download<float>(d_part);
  for (std::size_t i = 0; i < parts.size(); i += device::kLanes) made.sums.push_back(parts[i]);
  return made;
}

/// Under how many schedules a kernel's sums are right, and the first wrong sum.
struct Stability {
  std::uint64_t right = 0;
  std::optional<std::uint64_t> first_wrong;  ///< schedule
  std::size_t stretch = 0;                   ///< whose sum is wrong there
  float wrong = 0, wanted = 0;
};

/// A kernel that fails in another way is not tried again, and the report says what went wrong.
Stability stability_of(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
                       std::span<const float> squares, const std::vector<float>& truth) {
  Stability found;
  for (std::uint64_t schedule = 0; schedule < kSchedulesTried; ++schedule) {
    lab.progress(0.5, {});
    const AddedUp added = add_up(lab, module, squares, schedule);
    if (added.sums == truth) {
      ++found.right;
    } else if (!found.first_wrong) {
      const auto at = std::ranges::mismatch(added.sums, truth);
      found.first_wrong = schedule;
      found.stretch = static_cast<std::size_t>(at.in1 - added.sums.begin());
      found.wrong = *at.in1;
      found.wanted = *at.in2;
    }
    if (added.record->error) {
      lab.report_error(*added.record->error);
      break;
    }
  }
  return found;
}

/// Shows a film first where lane 0 ends: lanes that are then still on their way have fallen behind.
void begin_where_lane_0_ends(lab::ExhibitValue& value) {
  auto* film = std::get_if<lab::WarpFilmExhibit>(&value);
  if (!film) return;
  for (std::size_t i = 0; i < film->steps.size(); ++i) {
    if ((film->steps[i].lanes & 1) != 0) film->chosen = static_cast<std::uint32_t>(i);
  }
}

/// By memory, under all schedules: a kernel that trusts the warp to go in step, and one whose lanes wait for each other. Of both, the
/// warp is filmed whose sum goes wrong first.
void by_memory(lab::Lab& lab, const device::Evidence& counted) {
  std::vector<float> squares = recording(whole_stretches(lab.integer("n")));
  const std::vector<float> truth = energies(squares);
  for (float& square : squares) square *= square;
  const auto trusting = lab.compile("trusting"), waiting = lab.compile("waiting");
  const Stability trusts = stability_of(lab, trusting, squares, truth),
                  waits = stability_of(lab, waiting, squares, truth);
  const std::uint64_t schedule = trusts.first_wrong.value_or(0);
  const device::WatchedWarp watched{trusts.stretch, 0,
                                    kFilmed};  // a block is a warp, and a stretch
  const auto film = [&](const std::string& slot, const char* title,
                        const std::shared_ptr<const device::Module>& module) {
    const auto record = add_up(lab, module, squares, schedule, watched).record;
    lab::ExhibitValue shown = film_of(lab, *record, watched, slot);
    if (slot == "trusting") begin_where_lane_0_ends(shown);
    lab.show({slot + "-film", {title, {{"schedule", schedule}}, {}}, counted, std::move(shown)});
    return record->findings_total;
  };
  const std::uint64_t races = film("trusting", "warps.sum.film-trusting", trusting);
  film("waiting", "warps.sum.film-waiting", waiting);
  lab.show({"schedules",
            {"warps.sum.title"},
            counted,
            lab::TextExhibit{{trusts.first_wrong ? "warps.sum.sometimes" : "warps.sum.always",
                              {{"right", lab::grouped(trusts.right)},
                               {"of", lab::grouped(kSchedulesTried)},
                               {"schedule", schedule},
                               {"wrong", lab::number(trusts.wrong)},
                               {"wanted", lab::number(trusts.wanted)},
                               {"stretch", std::to_string(trusts.stretch)},
                               {"races", lab::grouped(races)},
                               {"waiting", lab::grouped(waits.right)}}}}});
}

/// How long a million samples take with the tracks interleaved and in stretches of 32. They are silent: no branch asks what they are.
void million(lab::Lab& lab) {
  const device::Buffer d_x = lab.allocate("x", device::ElementType::f32, kTimed);
  lab.fill(d_x, std::byte{0});
  lab::TimingsExhibit times{{"warps.million.what"}, {}};
  for (const std::int64_t run : {1, 32}) {
    const auto module = compile_variant(lab, "master", defines_of(lab, run));
    const auto record = run_over(lab, module, d_x, kConditionBlock, kTimedPart);
    if (!record->estimate) continue;
    times.rows.push_back(lab::timing_of({"warps.million.run", {{"run", std::to_string(run)}}, {}},
                                        *record->estimate));
  }
  lab.show({"million", {"warps.million.title"}, std::nullopt, std::move(times)});
}

/// Begins to compile what the runs after the first need.
void compile_soon(lab::Lab& lab) {
  for (const std::int64_t run : {1, 32})
    lab.compile_soon(request_of(lab, "master", defines_of(lab, run)));
  for (const char* name : {"volume", "limit"})
    lab.compile_soon(request_of(lab, name, defines_of(lab, 1)));
  for (const char* slot : {"meter", "trusting", "waiting"})
    lab.compile_soon(lab.request_of_slot(slot));
}

/// The chapter's runs. They read like the host side of a CUDA program.
void warps_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  compile_soon(lab);
  Message calls;
  lab.side_by_side(
      {[&](lab::Lab& part) { calls = master(part, counted); },
       lab::remembered(
           {.name = "warps/conditions", .run = [&](lab::Lab& part) { conditions(part, counted); }}),
       [&](lab::Lab& part) {
         forms(part, counted);
         slots(part);
         block_sizes(part);
       },
       lab::remembered(
           {.name = "warps/meter", .run = [&](lab::Lab& part) { meter(part, counted); }}),
       lab::remembered({.name = "warps/million", .run = [&](lab::Lab& part) { million(part); }}),
       lab::remembered(
           {.name = "warps/by-memory", .run = [&](lab::Lab& part) { by_memory(part, counted); }})});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::WarpFilmExhibit* film(const lab::Report& report) {
  return report.find_as<lab::WarpFilmExhibit>("film");
}

/// Instructions that the watched warp issued for rows whose text holds `words`; "" without a film.
std::string issued_at(const lab::Report& report, std::string_view words) {
  const auto* found = film(report);
  if (!found) return {};
  std::uint64_t issues = 0;
  for (const lab::WarpFilmExhibit::Step& step : found->steps) {
    if (found->rows[step.row].text.find(words) != std::string::npos) issues += step.issues;
  }
  return lab::grouped(issues);
}

std::string film_issues(const lab::Report& report) {
  return film(report) ? lab::grouped(lab::totals_of(*film(report)).issues) : "";
}

std::string film_partial(const lab::Report& report) {
  return film(report) ? lab::grouped(lab::totals_of(*film(report)).partial) : "";
}

/// "32, 0, 1": how many warps part at each of the three conditions.
std::string parted_warps(const lab::Report& report) {
  std::string all;
  for (std::size_t row = 0; row < 3; ++row) {
    const std::string parted = side_by_side_figure(report, "conditions", row, 0);
    if (parted.empty()) return {};
    all += (row == 0 ? "" : ", ") + parted;
  }
  return all;
}

/// "1.2": how many times as long the most warps take as the fewest.
std::string slots_ratio(const lab::Report& report) {
  const auto* slots = report.find_as<lab::IssueSlotsExhibit>("slots");
  if (!slots || slots->cases.empty() || slots->cases.front().clocks == 0) return {};
  return fmt::format("{:.1f}", static_cast<double>(slots->cases.back().clocks) /
                                   static_cast<double>(slots->cases.front().clocks));
}

/// "all", "some" or "none" of the schedules gave the right sums.
std::string stable(const lab::Report& report) {
  const std::string right = text_argument(report, "schedules", "right");
  if (right.empty()) return {};
  if (right == "0") return "none";
  return right == text_argument(report, "schedules", "of") ? "all" : "some";
}

}  // namespace

lab::Lesson warps() {
  lab::Lesson lesson;
  lesson.slug = "warps";
  const std::string words = "warps.parameter.", presets = "warps.preset.";
  lesson.parameters = {whole_number(words, "n", "warps.unit.samples", 64, 1, 4096),
                       whole_number(words, "block", "warps.unit.threads", 64, 1, 1024),
                       whole_number(words, "run", "warps.unit.samples", 1, 1, 64),
                       whole_number(words, "rounds", "", 8, 1, 64),
                       whole_number(words, "watch", "", 0, 0, 31),
                       choice(words, "rows", {"source", "ptx"}),
                       whole_number(words, "schedule", "", 0, 0, kSchedulesTried - 1),
                       whole_number(words, "warps", "warps.unit.warps", 48, 1, 64),
                       whole_number(words, "latency", "warps.unit.clocks", 400, 1, 1000),
                       whole_number(words, "work", "warps.unit.instructions", 30, 1, 200)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "interleaved", {}),
                    preset(presets, "stretches", {{"run", Int{32}}}),
                    preset(presets, "shuffled", {{"schedule", Int{5}}})};
  lesson.slots = {{"master", "lessons/warps/variants/master.cu", {}},
                  {"meter", "lessons/warps/variants/meter.cu", {}},
                  {"trusting", "lessons/warps/variants/trusting.cu", {}},
                  {"waiting", "lessons/warps/variants/waiting.cu", {}}};
  lesson.experiment = warps_experiment;
  lesson.figures = {
      {"issues", film_issues},
      {"partial", film_partial},
      {"right", [](const lab::Report& r) { return text_argument(r, "schedules", "right"); }}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"both-sides", [](const lab::Report& r) { return issued_at(r, "s = s"); }},
      {"parted-warps", parted_warps},
      {"parted", [](const lab::Report& r) { return text_argument(r, "cost", "parted"); }},
      {"slots-ratio", slots_ratio},
      {"resident", [](const lab::Report& r) { return text_argument(r, "resident", "warps"); }},
      {"shuffles", [](const lab::Report& r) { return text_argument(r, "meter-cost", "each"); }},
      {"stable", stable}};
  lesson.exercises = {"warp-uniform", "warp-sum"};
  return lesson;
}

}  // namespace warpbook::lessons
