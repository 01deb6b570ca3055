// Memory spaces: the place of a value decides who sees it, how long it lives, and what it costs to read.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/spaces/journey_of.hpp"
#include "lab/exhibits/spaces/spaces_of.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/exhibits/timings/timings.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using lab::Message;
using Space = lab::SpacesExhibit::Space;

/// Accesses of the launch that is looked at closely: more than 4,096 outputs need. A longer recording is traced in part.
constexpr std::uint32_t kTraced = 1u << 19;
constexpr std::uint64_t kShown = 48;  ///< samples of a recording, as a plot: one wave, one click
/// Times are estimated for so many samples, because with fewer of them a launch takes longer than any kernel. Only some of the
/// blocks run for it: two for each multiprocessor of the largest GPU.
constexpr std::int64_t kTimedSamples = 1 << 20;
constexpr std::uint64_t kTimedBlocks = 384;
/// Of a longer recording, a draft runs so many blocks, which show its grid and nothing else.
constexpr std::int64_t kDraftSamples = 1 << 14;
constexpr std::uint64_t kDraftBlocks = 2;
constexpr const char* kFolder = "lessons/memory-spaces/variants/";
constexpr std::int64_t kTaps = 8;    ///< weights of a smoothing filter
constexpr std::int64_t kWindow = 5;  ///< samples of which declick takes the median
/// Texels of a one-dimensional CUDA array (CUDA Programming Guide, "Compute Capabilities").
constexpr std::int64_t kMostTexels = 131072;

/// What a kernel is for: its name says it. `restore` does what `declick` and then `smooth` do.
enum class Job : std::uint8_t { declick, smooth, restore };
Job job_of(const std::string& kernel) {
  return kernel == "declick" ? Job::declick : kernel == "restore" ? Job::restore : Job::smooth;
}

constexpr std::int64_t kWave = 48, kHiss = 31, kClicks = 89;  ///< samples until each begins again
constexpr std::int64_t kPeriod = kWave * kHiss * kClicks;     ///< until all of it does
/// A recording from an old record: a slow wave, hiss, and a click now and then. Whole numbers, so that every order of
/// adding gives the same sum.
float sample(std::int64_t i) {
  const std::int64_t wave = 32 * std::abs(i % kWave - kWave / 2) - 384, hiss = i * 7 % kHiss - 15,
                     click = i % kClicks == 40 ? 1500 : 0;
  return static_cast<float>(wave + hiss + click);
}

/// Weight k: 1 3 5 7 7 5 3 1 over 32, which add up to 1. All exact.
float weight(std::int64_t k) { return static_cast<float>(2 * std::min(k, kTaps - 1 - k) + 1) / 32; }

/// The median of the kWindow samples from `first` on.
float median_of(const float* first) {
  std::array<float, kWindow> window{};
  std::copy_n(first, kWindow, window.begin());
  std::ranges::nth_element(window, window.begin() + kWindow / 2);
  return window[kWindow / 2];
}

/// One recording as all kernels of one job get it. `smooth` gets what `declick` made of it.
struct Recording {
  Job job;
  std::int64_t n = 0;
  std::vector<float> x, c;
  device::Buffer d_x, d_c;

  Recording(lab::Lab& lab, Job wanted, std::int64_t samples) : job(wanted), n(samples) {
    // Past its end a recording keeps its last value, so that every window is whole.
    const std::int64_t more = job == Job::declick  ? kWindow - 1
                              : job == Job::smooth ? kTaps - 1
                                                   : kWindow - 1 + kTaps - 1;
    x = periodic(n, kPeriod, sample);
    x.resize(static_cast<std::size_t>(n + more), x.back());
    if (job == Job::smooth) x = without_clicks(std::move(x));
    for (std::int64_t k = 0; k < kTaps; ++k) c.push_back(weight(k));
    d_x = lab.upload<float>("x", x);
    if (job == Job::smooth) d_c = lab.upload<float>("c", c);
  }

  /// What must come out.
  [[nodiscard]] std::vector<float> truth() const {
    const std::vector<float> heard = job == Job::restore ? without_clicks(x) : x;
    std::vector<float> made;
    for (std::int64_t i = 0; i < n; ++i)
      made.push_back(job == Job::declick ? median_of(&x[static_cast<std::size_t>(i)])
                                         : mean_at(heard, i));
    return made;
  }

 private:
  /// As many samples again: past the end the last one is repeated.
  [[nodiscard]] std::vector<float> without_clicks(std::vector<float> samples) const {
    constexpr std::size_t kAgain = kPeriod;
    const std::size_t count = samples.size();
    samples.resize(count + kWindow - 1, samples.back());
    for (std::size_t i = 0; i < count; ++i) {
      // A window with none of what was added at the end.
      const bool within = i + kWindow <= static_cast<std::size_t>(n);
      samples[i] = within && i >= kAgain ? samples[i - kAgain] : median_of(&samples[i]);
    }
    samples.resize(count);
    return samples;
  }
  [[nodiscard]] float mean_at(const std::vector<float>& heard, std::int64_t i) const {
    float sum = 0;
    for (std::int64_t k = 0; k < kTaps; ++k)
      sum += c[static_cast<std::size_t>(k)] * heard[static_cast<std::size_t>(i + k)];
    return sum;
  }
};

struct FilterRan {
  std::shared_ptr<const device::LaunchRecord> record;
  device::KernelInfo kernel;
  std::vector<float> out;                          ///< empty where only some blocks ran
  std::optional<device::AllocationInfo> constant;  ///< where the weights were copied by name
  bool textured = false;                           ///< the recording was read through a texture
};

/// Compiles and launches a module's only kernel. What it declares decides what it gets: the weights by name where it has a
/// variable `weight`, the recording through a texture where it takes a texture object. `blocks`: how many run for an
/// estimate of time; 0: all.
FilterRan launch_filter(lab::Lab& lab, const Recording& recording,
                        const std::shared_ptr<const device::Module>& module,
                        const device::Buffer& d_out, std::uint32_t traced,
                        std::uint64_t blocks = 0) {
  FilterRan ran;
  ran.kernel = *lab::require(module->kernel(""));
  if (const auto symbol = lab.device().global(*module, "weight")) {
    ran.constant = *symbol;
    lab.copy_to_symbol(*module, "weight", std::as_bytes(std::span(recording.c)));
  }
  const auto& parameters = ran.kernel.parameters;
  std::shared_ptr<const device::Array> array;
  std::shared_ptr<const device::Texture> texture;
  if (!parameters.empty() && parameters[0].declared == "unsigned long long") {
    const auto own = std::span(recording.x).first(static_cast<std::size_t>(recording.n));
    array = lab.array({"x", {}, static_cast<std::uint32_t>(recording.n)}, std::as_bytes(own));
    device::TextureDescription description;
    description.array = *array;
    description.address_mode.fill(device::AddressMode::clamp);
    texture = lab.texture(description);
    ran.textured = true;
  }
  std::vector<device::Argument> arguments{texture ? device::Argument::of(texture->handle)
                                                  : pointer_argument(recording.d_x)};
  if (recording.job == Job::smooth) arguments.push_back(pointer_argument(recording.d_c));
  arguments.push_back(pointer_argument(d_out));
  arguments.push_back(number_argument(recording.n));
  if (arguments.size() < parameters.size()) arguments.push_back(number_argument(kWindow / 2));
  device::Launch launch =
      launch_of(module, "", recording.n, lab.integer("block"), std::move(arguments));
  launch.observe.trace_accesses = traced;
  launch.estimate.blocks = blocks;
  ran.record = lab.launch(std::move(launch));
  if (blocks == 0) ran.out = lab.download<float>(d_out);
  return ran;
}

device::Buffer output_of(lab::Lab& lab, const Recording& recording) {
  return lab.allocate("out", device::ElementType::f32, static_cast<std::uint64_t>(recording.n));
}

std::vector<std::pair<std::string, std::string>> defines(lab::Lab& lab) {
  return {{"BLOCK", std::to_string(lab.integer("block"))}};
}

/// The value that the reader follows: a sample, or a weight in whichever memory the kernel has it.
lab::Followed followed(lab::Lab& lab, const Recording& recording, const FilterRan& ran) {
  const bool of_recording = recording.job != Job::smooth || lab.choice("array") == "x";
  const std::vector<float>& values = of_recording ? recording.x : recording.c;
  const device::Buffer& buffer = of_recording ? recording.d_x : recording.d_c;
  lab::Followed made;
  made.array = of_recording ? "x" : "c";
  made.count = values.size();
  made.index = std::min(static_cast<std::uint64_t>(lab.integer("follow")), made.count - 1);
  made.address = buffer.address() + sizeof(float) * made.index;
  made.value = lab::number(values[made.index]);
  made.textured = of_recording && ran.textured;
  if (!of_recording && ran.constant)
    made.constant = ran.constant->address + sizeof(float) * made.index;
  return made;
}

/// The memories again, with the value's way over them.
lab::ExhibitValue journey(lab::Lab& lab, const Recording& recording, const FilterRan& ran,
                          const device::Properties& gpu) {
  if (!ran.record->counted) return lab::TextExhibit{{"memory-spaces.journey.untraced", {}}};
  lab::SpacesExhibit way = lab::spaces_of(*ran.record, ran.kernel, gpu);
  way.journey = lab::journey_of(*ran.record, followed(lab, recording, ran), gpu);
  return way;
}

lab::TensorExhibit plot_of(const std::string& name, std::span<const float> values) {
  lab::TensorExhibit plot =
      tensor_of(name, values.first(std::min<std::size_t>(values.size(), kShown)));
  plot.view = lab::TensorExhibit::View::plot;
  return plot;
}

/// How long a thread waits for what is in the memory inside a multiprocessor, and at each level of global memory.
void show_clocks(lab::Lab& lab, const lab::SpacesExhibit& spaces) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  for (const Space space : {Space::shared, Space::l1, Space::l2, Space::dram}) {
    const auto* row = lab::row_of(spaces, space);
    if (!row) continue;
    const std::string name(name_of(space));
    const Message size{"spaces.size." + name, {{"size", lab::byte_count(row->bytes)}}};
    Message label{"memory-spaces.clocks.of",
                  {{"name", Message{"spaces.name." + name}}, {"size", size}}};
    const std::string clocks = row->latency > 0 ? lab::number(row->latency, 4) : "?";
    bars.push_back({{std::move(label), row->latency, clocks}});
  }
  show_side_by_side(lab, "memory-spaces.", "clocks", std::nullopt, {"clocks"}, bars);
}

/// What of a long recording can be seen at once: the grid that it takes, and its first samples.
void glance(lab::Lab& lab, const device::Evidence& counted) {
  const auto module =
      lab::require(lab.device().load(lab.program(lab.request_of_slot("filter", defines(lab)))));
  const Recording recording(lab, job_of(lab::require(module->kernel(""))->name), lab.integer("n"));
  const device::Buffer d_out = output_of(lab, recording);
  device::LaunchRecord record =
      *launch_filter(lab, recording, module, d_out, 0, kDraftBlocks).record;
  record.trace_cut = true;  // of most blocks there is no trace
  lab.show({"geometry", {"memory-spaces.geometry"}, counted, lab::geometry_of(record)});
  lab.show({"x", {"memory-spaces.x"}, std::nullopt, plot_of("x", recording.x)});
}

/// The kernel that the reader sees and edits. Gives back what the host asked for until then.
lab::Message look_closely(lab::Lab& lab, const device::Evidence& counted) {
  const auto module = lab.compile("filter", defines(lab));
  const Recording recording(lab, job_of(lab::require(module->kernel(""))->name), lab.integer("n"));
  const device::Buffer d_out = output_of(lab, recording);
  const FilterRan ran = launch_filter(lab, recording, module, d_out, kTraced);
  const device::Properties& gpu = lab.device().properties();
  const lab::SpacesExhibit spaces = lab::spaces_of(*ran.record, ran.kernel, gpu);
  show_clocks(lab, spaces);
  lab.show({"spaces", {"memory-spaces.spaces"}, counted, spaces});
  lab.show({"geometry", {"memory-spaces.geometry"}, counted, lab::geometry_of(*ran.record)});
  lab.show({"x", {"memory-spaces.x"}, std::nullopt, plot_of("x", recording.x)});
  lab::TensorExhibit out = plot_of("out", ran.out);
  const std::vector<float> truth = recording.truth();
  for (std::size_t i = 0; i < lab::count(out); ++i) {
    if (ran.out[i] != truth[i]) out.wrong.push_back(i);
  }
  lab.show({"out", {"memory-spaces.out"}, counted, std::move(out)});
  lab.show({"check",
            {"memory-spaces.check.title"},
            counted,
            check_of("memory-spaces.check.", *ran.record, ran.out, truth)});
  lab.show(
      {"journey", {"memory-spaces.journey.title"}, counted, journey(lab, recording, ran, gpu)});
  return host_calls(lab.device());
}

/// A kernel of the book's, run beside others.
struct Side {
  std::string name;  ///< of its file
  FilterRan ran;
};

device::CompileRequest request_of(lab::Lab& lab, const std::string& name) {
  const std::string file = name + ".cu";
  return lab.request_of(
      file, lab::require(lab::read_source_file(lab.context().root, kFolder + file)), defines(lab));
}

/// Runs a kernel of the book's; `blocks`: as launch_filter() has it.
Side run_variant(lab::Lab& lab, const Recording& recording, const std::string& name,
                 std::uint64_t blocks = 0) {
  const auto module = lab::require(lab.device().load(lab.program(request_of(lab, name))));
  const device::Buffer d_out = output_of(lab, recording);
  return {name, launch_filter(lab, recording, module, d_out, 0, blocks)};
}

/// The kernels of a job's list that ran on the same recording, and whether they are right.
struct Sides {
  std::vector<Side> ran;
  std::vector<lab::CheckExhibit::Item> checks;
};

/// The texture's kernel only where its array can hold the recording.
Sides run_each(lab::Lab& lab, Job job, std::span<const char* const> names) {
  const std::int64_t n = lab.integer("n");
  std::vector<std::string> able(names.begin(), names.end());
  if (!lab.device().supports(device::Feature::textures) || n > kMostTexels)
    std::erase(able, "texture");
  Sides sides{std::vector<Side>(able.size()), std::vector<lab::CheckExhibit::Item>(able.size())};
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < able.size(); ++i) {
    parts.emplace_back([&, i](lab::Lab& part) {
      const Recording recording(part, job, n);
      sides.ran[i] = run_variant(part, recording, able[i]);
      const FilterRan& ran = sides.ran[i].ran;
      lab::CheckExhibit::Item& item = sides.checks[i];
      item =
          check_of("memory-spaces.check.", *ran.record, ran.out, recording.truth()).items.front();
      item.id = "right-" + able[i];
      item.sentence = {"memory-spaces.side." + able[i]};
      if (ran.record->findings_total != 0) item.state = lab::CheckExhibit::State::failed;
    });
  }
  lab.side_by_side(parts);
  return sides;
}

Message name_of_side(const std::string& name) { return {"memory-spaces.side." + name}; }

/// What launches that follow one another take with a long recording, by the estimate: their times add up. Nothing on a GPU of
/// this machine, which makes no estimate.
std::optional<lab::TimingsExhibit::Row> time_of(
    lab::Lab& lab, std::initializer_list<std::pair<Job, const char*>> launches) {
  if (!lab.device().properties().simulated) return std::nullopt;
  lab::TimingsExhibit::Row row;
  for (const auto& [job, name] : launches) {
    const Recording recording(lab, job, kTimedSamples);
    const Side side = run_variant(lab, recording, name, kTimedBlocks);
    const auto& estimate = side.ran.record->estimate;
    if (!estimate) return std::nullopt;
    row.seconds += estimate->seconds;
    row.low += estimate->low;
    row.high += estimate->high;
    row.evidence = estimate->time;
  }
  row.minimum = row.low;
  return row;
}

/// What the runs of compare_places() did.
struct Places {
  Sides sorts, weights, restored;
  std::shared_ptr<const device::LaunchRecord> longer;  ///< medians, as many as `smooth` needs
  std::optional<lab::TimingsExhibit::Row> by_global, by_shared;
};

Places run_places(lab::Lab& lab) {
  constexpr std::array kSorts{"sorted", "exchanged", "ranked"};
  constexpr std::array kPlaces{"literal", "global", "shared", "constant", "texture"};
  constexpr std::array kRestored{"restore"};
  Places ran;
  lab.side_by_side(
      {[&](lab::Lab& part) { ran.sorts = run_each(part, Job::declick, kSorts); },
       [&](lab::Lab& part) { ran.weights = run_each(part, Job::smooth, kPlaces); },
       [&](lab::Lab& part) { ran.restored = run_each(part, Job::restore, kRestored); },
       [&](lab::Lab& part) {
         // The last outputs of `smooth` need medians past the end of the recording.
         const Recording recording(part, Job::declick, part.integer("n") + kTaps - 1);
         ran.longer = run_variant(part, recording, "exchanged").ran.record;
       },
       [&](lab::Lab& part) {
         ran.by_global = time_of(part, {{Job::declick, "exchanged"}, {Job::smooth, "literal"}});
       },
       [&](lab::Lab& part) {
         ran.by_shared = time_of(part, {{Job::restore, "restore"}});
       }});
  return ran;
}

/// From the fastest that the estimate allows to the slowest.
lab::BarsExhibit::Bar band_of(Message label, const std::optional<lab::TimingsExhibit::Row>& time) {
  if (!time) return known_bar(std::move(label), std::nullopt);
  return {std::move(label), time->seconds,
          lab::duration(time->low) + " – " + lab::duration(time->high)};
}

/// Medians from one kernel to another through global memory, and from thread to thread through shared memory.
void show_handing_over(lab::Lab& lab, const device::Evidence& counted, const Places& ran) {
  const auto& declick = *ran.longer;
  const auto &smooth = *ran.weights.ran[0].ran.record, &restore = *ran.restored.ran[0].ran.record;
  const auto bars = [](const char* way, std::uint64_t launches, bool known, std::uint64_t global,
                       std::uint64_t shared, const auto& time) {
    const Message name{std::string("memory-spaces.handing-over.") + way};
    const auto count = [&](std::uint64_t of) { return known ? std::optional(of) : std::nullopt; };
    return std::vector{count_bar(name, launches), known_bar(name, count(global)),
                       known_bar(name, count(shared)), band_of(name, time)};
  };
  show_side_by_side(
      lab, "memory-spaces.", "handing-over", counted, {"launches", "global", "shared", "time"},
      {bars("by-global", 2, declick.counted && smooth.counted,
            declick.total.global_requests + smooth.total.global_requests,
            declick.total.shared_requests + smooth.total.shared_requests, ran.by_global),
       bars("by-shared", 1, restore.counted, restore.total.global_requests,
            restore.total.shared_requests, ran.by_shared)});
}

/// How much each way to sort keeps in local memory, and how many registers it takes.
void show_sorts(lab::Lab& lab, const device::Evidence& counted, const Sides& sorts) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  for (const Side& side : sorts.ran) {
    const auto& [record, kernel, out, constant, textured] = side.ran;
    const auto spaces = lab::spaces_of(*record, kernel, lab.device().properties());
    const Message name = name_of_side(side.name);
    const auto requests =
        record->counted ? std::optional(record->total.local_requests) : std::nullopt;
    bars.push_back({count_bar(name, kernel.local_bytes), known_bar(name, requests),
                    known_bar(name, spaces.machine_local), known_bar(name, kernel.registers)});
  }
  show_side_by_side(lab, "memory-spaces.", "sorts", counted,
                    {"bytes", "requests", "machine", "registers"}, bars);
}

/// The requests of one filter, by memory, with its weights in several places.
void show_weights(lab::Lab& lab, const device::Evidence& counted, const Sides& weights) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  for (const Side& side : weights.ran) {
    const device::LaunchRecord& record = *side.ran.record;
    auto& own = bars.emplace_back();
    for (const auto requests : {record.total.global_requests, record.total.shared_requests,
                                record.total.constant_requests, record.total.texture_requests})
      own.push_back(known_bar(name_of_side(side.name),
                              record.counted ? std::optional(requests) : std::nullopt));
  }
  show_side_by_side(lab, "memory-spaces.", "side", counted,
                    {"global-requests", "shared-requests", "constant-requests", "texture-requests"},
                    bars);
}

/// Every kernel of the chapter that can be compared with another: three ways to sort, two ways to hand medians over, and
/// the weights of one filter in several places.
void compare_places(lab::Lab& lab, const device::Evidence& counted) {
  const Places ran = run_places(lab);
  show_sorts(lab, counted, ran.sorts);
  show_weights(lab, counted, ran.weights);
  show_handing_over(lab, counted, ran);
  lab::CheckExhibit checks;
  for (const Sides* sides : {&ran.sorts, &ran.weights, &ran.restored})
    std::ranges::copy(sides->checks, std::back_inserter(checks.items));
  lab.show({"side-check", {"memory-spaces.side.check"}, counted, std::move(checks)});
}

/// Begins to compile the book's kernels.
void compile_soon(lab::Lab& lab) {
  for (const char* name : {"sorted", "exchanged", "ranked", "literal", "global", "shared",
                           "constant", "texture", "restore"})
    lab.compile_soon(request_of(lab, name));
}

/// How long the two sorts take with a long recording.
void show_times(lab::Lab& lab) {
  lab::TimingsExhibit times{{"memory-spaces.times"}, {}};
  for (const char* name : {"sorted", "exchanged"}) {
    auto row = time_of(lab, {{Job::declick, name}});
    if (!row) continue;
    row->label = {std::string("memory-spaces.side.") + name};
    times.rows.push_back(*std::move(row));
  }
  lab.show({"sorts-time", {"memory-spaces.sorts-time"}, std::nullopt, std::move(times)});
}

/// What the GPU grants a block of shared memory: without opting in, and with it.
void show_limits(lab::Lab& lab) {
  const device::Properties& gpu = lab.device().properties();
  lab.show({"limits",
            {"memory-spaces.limits.title"},
            std::nullopt,
            lab::TextExhibit{{"memory-spaces.limits.sentence",
                              {{"gpu", gpu.name},
                               {"fixed", lab::byte_count(gpu.shared_per_block)},
                               {"most", lab::byte_count(gpu.shared_per_block_optin)}}}}});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void memory_spaces_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  compile_soon(lab);
  lab::Message calls;
  lab.side_by_side(
      {[&](lab::Lab& part) {
         if (part.integer("n") > kDraftSamples && part.leaves_out()) return glance(part, counted);
         calls = look_closely(part, counted);
       },
       lab::remembered({.name = "memory-spaces/places",
                        .unread = {"array", "follow"},
                        .run = [&](lab::Lab& part) { compare_places(part, counted); }}),
       lab::remembered({.name = "memory-spaces/times",
                        .unread = {"n", "array", "follow"},
                        .run = [&](lab::Lab& part) { show_times(part); }}),
       [&](lab::Lab& part) { show_limits(part); }});
  if (!calls.empty()) show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::SpacesExhibit* spaces(const lab::Report& report) {
  return report.find_as<lab::SpacesExhibit>("spaces");
}

std::string text_of(const std::optional<std::uint64_t>& figure) {
  return figure ? lab::grouped(*figure) : "";
}

std::string requests_of(const lab::Report& report, Space space) {
  const auto* found = spaces(report);
  const auto* row = found ? lab::row_of(*found, space) : nullptr;
  return row ? text_of(row->requests) : "";
}

std::string local_bytes(const lab::Report& report) {
  return spaces(report) ? lab::grouped(spaces(report)->local_bytes) : "";
}

std::string exchanged_bytes(const lab::Report& report) {
  return side_by_side_figure(report, "sorts", 1, 0);
}
std::string restore_requests(const lab::Report& report) {
  return side_by_side_figure(report, "handing-over", 1, 1);
}

std::string machine_local(const lab::Report& report) {
  const auto* found = spaces(report);
  return found && found->machine_local ? lab::grouped(*found->machine_local) : "";
}

std::string registers(const lab::Report& report) {
  const auto* found = spaces(report);
  return found && found->registers ? lab::grouped(*found->registers) : "";
}

std::string constant_passes(const lab::Report& report) {
  const auto* found = spaces(report);
  const auto* row = found ? lab::row_of(*found, Space::constant) : nullptr;
  return row ? text_of(row->passes) : "";
}

/// Passes over constant memory for each request to it; "" where there was none.
std::string passes_a_request(const lab::Report& report) {
  const auto* found = spaces(report);
  const auto* row = found ? lab::row_of(*found, Space::constant) : nullptr;
  if (!row || !row->passes || row->requests.value_or(0) == 0) return {};
  return lab::number(static_cast<double>(*row->passes) / static_cast<double>(*row->requests), 3);
}

const lab::SpacesExhibit::Journey* journey_in(const lab::Report& report) {
  const auto* found = report.find_as<lab::SpacesExhibit>("journey");
  return found && found->journey ? &*found->journey : nullptr;
}

std::string readers(const lab::Report& report) {
  const auto* way = journey_in(report);
  return way ? lab::grouped(way->readers) : "";
}

std::string spaces_right(const lab::Report& report) {
  const auto* check = report.find_as<lab::CheckExhibit>("check");
  if (!check || check->items.empty()) return {};
  const lab::Message* right = device::argument_of(check->items.front().got.arguments, "right");
  return right ? right->text : "";
}

/// What the requests to local memory asked for, and what they would have with a float for every lane of theirs.
std::string local_asked(const lab::Report& report, bool all_lanes) {
  constexpr std::uint64_t kLanes = 32;
  const auto* found = spaces(report);
  const auto* row = found ? lab::row_of(*found, Space::local) : nullptr;
  if (!row || !row->requests || !row->asked) return {};
  return lab::byte_count(all_lanes ? *row->requests * kLanes * sizeof(float) : *row->asked);
}

}  // namespace

lab::Lesson memory_spaces() {
  lab::Lesson lesson;
  lesson.slug = "memory-spaces";
  const std::string words = "memory-spaces.parameter.", presets = "memory-spaces.preset.";
  lesson.parameters = {whole_number(words, "n", "memory-spaces.unit.samples", 1024, 1, 1 << 20),
                       whole_number(words, "block", "memory-spaces.unit.threads", 128, 32, 1024),
                       choice(words, "array", {"x", "c"}),
                       whole_number(words, "follow", "", 37, 0, 4110)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "short", {}),
                    preset(presets, "longest-texture", {{"n", Int{kMostTexels}}}),
                    preset(presets, "million", {{"n", Int{1} << 20}})};
  lesson.slots = {{"filter", "lessons/memory-spaces/variants/sorted.cu", {}}};
  lesson.experiment = memory_spaces_experiment;
  lesson.figures = {
      {"local-bytes", local_bytes},
      {"local-requests", [](const lab::Report& r) { return requests_of(r, Space::local); }},
      {"local-asked", [](const lab::Report& r) { return local_asked(r, false); }},
      {"local-full", [](const lab::Report& r) { return local_asked(r, true); }},
      {"exchanged-bytes", exchanged_bytes},
      {"restore-requests", restore_requests},
      {"constant-requests", [](const lab::Report& r) { return requests_of(r, Space::constant); }},
      {"constant-passes", constant_passes},
      {"machine-local", machine_local},
      {"registers", registers},
      {"right", spaces_right},
      {"readers", readers}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {{"local-bytes", local_bytes},
                    {"exchanged-bytes", exchanged_bytes},
                    {"restore-requests", restore_requests},
                    {"passes-a-request", passes_a_request},
                    {"right", spaces_right}};
  lesson.exercises = {"local-array", "smooth-tile", "constant-filter", "texture-borders"};
  return lesson;
}

}  // namespace warpbook::lessons
