// Memory spaces: the place of a value decides who sees it, how long it lives, and what it costs to read.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/accesses/constant_passes.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/spaces/journey_of.hpp"
#include "lab/exhibits/spaces/spaces_of.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/exhibits/timings/estimate_text.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using lab::Message;
using Space = lab::SpacesExhibit::Space;

/// Accesses of the launch that is looked at closely: more than 4,096 outputs need. A longer recording is traced in part.
constexpr std::uint32_t kTraced = 1u << 19;
constexpr std::uint32_t kTracedForPasses = 1u << 14;
constexpr std::uint64_t kShown = 100;  ///< samples of a recording, as a plot: one wave, one click
/// The kernels whose times are shown.
constexpr std::array<std::string_view, 7> kTimed{"sorted",   "exchanged",      "global", "shared",
                                                 "constant", "mixer_constant", "texture"};
constexpr const char* kFolder = "lessons/memory-spaces/variants/";
constexpr std::int64_t kTaps = 8;    ///< weights of a smoothing filter
constexpr std::int64_t kWindow = 5;  ///< samples of which declick takes the median
/// Texels of a one-dimensional CUDA array (CUDA Programming Guide, "Compute Capabilities").
constexpr std::int64_t kMostTexels = 131072;

/// What a kernel is for: its name says it.
enum class Job : std::uint8_t { declick, smooth, mixer };
Job job_of(const std::string& kernel) {
  return kernel == "declick" ? Job::declick : kernel == "mixer" ? Job::mixer : Job::smooth;
}

/// A recording from an old record: a slow wave, hiss, and a click now and then. Whole numbers, so that every order of
/// adding gives the same sum.
float sample(std::int64_t i) {
  const std::int64_t wave = 16 * std::abs(i % 100 - 50) - 400, hiss = i * 7 % 31 - 15,
                     click = i % 89 == 40 ? 1500 : 0;
  return static_cast<float>(wave + hiss + click);
}

/// Weight k of a microphone: 1 3 5 7 7 5 3 1 over 32, which add up to 1, times the microphone's gain. All exact.
float weight(std::int64_t channel, std::int64_t k) {
  const auto rising = static_cast<float>(2 * std::min(k, kTaps - 1 - k) + 1);
  return std::ldexp(rising / 32, -static_cast<int>(channel));
}

/// One recording as all kernels of one job get it, and what must come out.
struct Recording {
  Job job;
  std::int64_t n = 0, channels = 1;
  std::vector<float> x, c, truth;
  device::Buffer d_x, d_c;

  Recording(lab::Lab& lab, Job wanted) : job(wanted), n(lab.integer("n")) {
    if (job == Job::mixer) channels = lab.integer("channels");
    // Past its end a recording keeps its last value, so that every window is whole.
    const std::int64_t more = job == Job::declick ? kWindow - 1 : (kTaps - 1) * channels;
    for (std::int64_t i = 0; i < n + more; ++i) x.push_back(sample(std::min(i, n - 1)));
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      for (std::int64_t k = 0; k < kTaps; ++k) c.push_back(weight(channel, k));
    }
    for (std::int64_t i = 0; i < n; ++i)
      truth.push_back(job == Job::declick ? median_at(i) : mean_at(i));
    d_x = lab.upload<float>("x", x);
    if (job != Job::declick) d_c = lab.upload<float>("c", c);
  }

 private:
  [[nodiscard]] float median_at(std::int64_t i) const {
    std::array<float, kWindow> window{};
    std::copy_n(x.begin() + i, kWindow, window.begin());
    std::ranges::nth_element(window, window.begin() + kWindow / 2);
    return window[kWindow / 2];
  }
  [[nodiscard]] float mean_at(std::int64_t i) const {
    float sum = 0;
    for (std::int64_t k = 0; k < kTaps; ++k) {
      sum += c[static_cast<std::size_t>(i % channels * kTaps + k)] *
             x[static_cast<std::size_t>(i + k * channels)];
    }
    return sum;
  }
};

struct FilterRan {
  std::shared_ptr<const device::LaunchRecord> record;
  device::KernelInfo kernel;
  std::vector<float> out;
  std::optional<device::AllocationInfo> constant;  ///< where the weights were copied by name
  bool textured = false;                           ///< the recording was read through a texture
};

/// Compiles and launches a module's only kernel. What it declares decides what it gets: the weights by name where it has a
/// variable `weight`, the recording through a texture where it takes a texture object.
FilterRan launch_filter(lab::Lab& lab, const Recording& recording,
                        const std::shared_ptr<const device::Module>& module,
                        const device::Buffer& d_out, std::uint32_t traced) {
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
  if (recording.job != Job::declick) arguments.push_back(pointer_argument(recording.d_c));
  arguments.push_back(pointer_argument(d_out));
  arguments.push_back(number_argument(recording.n));
  if (arguments.size() < parameters.size()) arguments.push_back(number_argument(kWindow / 2));
  device::Launch launch =
      launch_of(module, "", recording.n, lab.integer("block"), std::move(arguments));
  launch.observe.trace_accesses = traced;
  ran.record = lab.launch(std::move(launch));
  ran.out = lab.download<float>(d_out);
  return ran;
}

device::Buffer output_of(lab::Lab& lab, const Recording& recording) {
  return lab.allocate("out", device::ElementType::f32, static_cast<std::uint64_t>(recording.n));
}

std::vector<std::pair<std::string, std::string>> defines(lab::Lab& lab) {
  return {{"CHANNELS", std::to_string(lab.integer("channels"))}};
}

/// The value that the reader follows: a sample, or a weight in whichever memory the kernel has it.
lab::Followed followed(lab::Lab& lab, const Recording& recording, const FilterRan& ran) {
  const bool of_recording = recording.job == Job::declick || lab.choice("array") == "x";
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

/// The kernel that the reader sees and edits. Gives back what the host asked for until then.
lab::Message look_closely(lab::Lab& lab, const device::Evidence& counted) {
  const auto module = lab.compile("filter", defines(lab));
  const Recording recording(lab, job_of(lab::require(module->kernel(""))->name));
  const device::Buffer d_out = output_of(lab, recording);
  const FilterRan ran = launch_filter(lab, recording, module, d_out, kTraced);
  const device::Properties& gpu = lab.device().properties();
  lab.show(
      {"spaces", {"memory-spaces.spaces"}, counted, lab::spaces_of(*ran.record, ran.kernel, gpu)});
  lab.show({"geometry", {"memory-spaces.geometry"}, counted, lab::geometry_of(*ran.record)});
  lab.show({"x", {"memory-spaces.x"}, std::nullopt, plot_of("x", recording.x)});
  lab::TensorExhibit out = plot_of("out", ran.out);
  for (std::size_t i = 0; i < lab::count(out); ++i) {
    if (ran.out[i] != recording.truth[i]) out.wrong.push_back(i);
  }
  lab.show({"out", {"memory-spaces.out"}, counted, std::move(out)});
  lab.show({"check",
            {"memory-spaces.check.title"},
            counted,
            check_of("memory-spaces.check.", *ran.record, ran.out, recording.truth)});
  lab.show(
      {"journey", {"memory-spaces.journey.title"}, counted, journey(lab, recording, ran, gpu)});
  return host_calls(lab.device());
}

/// A kernel of the book's, run beside others of its job.
struct Side {
  std::string name;  ///< of its file
  FilterRan ran;
};

/// Every kernel of a job's list in turn, on the same recording; the texture's only where its array can hold the recording.
std::vector<Side> side_by_side(lab::Lab& lab, const Recording& recording,
                               std::span<const char* const> names, std::uint32_t traced,
                               lab::CheckExhibit& checks) {
  std::vector<Side> sides;
  for (const std::string name : names) {
    if (name == "texture" &&
        (!lab.device().supports(device::Feature::textures) || recording.n > kMostTexels))
      continue;
    const std::string file = name + ".cu";
    const auto module = lab.compile_source(
        file, lab::require(lab::read_source_file(lab.context().root, kFolder + file)),
        defines(lab));
    const device::Buffer d_out = output_of(lab, recording);
    FilterRan ran = launch_filter(lab, recording, module, d_out, traced);
    lab::CheckExhibit::Item item =
        check_of("memory-spaces.check.", *ran.record, ran.out, recording.truth).items.front();
    item.id = "right-" + name;
    item.sentence = {"memory-spaces.side." + name};
    if (ran.record->findings_total != 0) item.state = lab::CheckExhibit::State::failed;
    checks.items.push_back(std::move(item));
    sides.push_back({name, std::move(ran)});
  }
  return sides;
}

/// A row a kernel: figures(side) gives what stands in it, before the kernel's name.
template <class Figures>
void show_table(lab::Lab& lab, const std::string& id, const device::Evidence& counted,
                std::span<const Side> sides, const Figures& figures) {
  std::vector<Message> lines{{"memory-spaces." + id + ".columns", {}}};
  for (const Side& side : sides) {
    lines.push_back(
        {"memory-spaces.side.row",
         {{"figures", figures(side)}, {"name", Message{"memory-spaces.side." + side.name, {}}}}});
  }
  lab.show({id,
            {"memory-spaces." + id + ".title"},
            counted,
            lab::TextExhibit{Message::list_of("list.lines", std::move(lines)), true}});
}

/// How long a reader's choices take, a bar each; the others of a table would only repeat them.
void add_times(std::span<const Side> sides, lab::TimingsExhibit& times) {
  for (const Side& side : sides) {
    const auto& estimate = side.ran.record->estimate;
    if (estimate && std::ranges::find(kTimed, side.name) != kTimed.end())
      times.rows.push_back(lab::timing_of({"memory-spaces.time." + side.name}, *estimate));
  }
}

/// Every kernel of the chapter that can be compared with another: three ways to sort, five places for the weights of one
/// filter, three for those of several.
void compare_places(lab::Lab& lab, const device::Evidence& counted) {
  constexpr std::array kSorts{"sorted", "exchanged", "ranked"};
  constexpr std::array kPlaces{"literal", "global", "shared", "constant", "texture"};
  constexpr std::array kMixers{"mixer_global", "mixer_shared", "mixer_constant"};
  lab::CheckExhibit checks;
  lab::TimingsExhibit times{{"memory-spaces.times"}, {}};
  // What nobody counted is not 0.
  const auto text = [](bool known, std::uint64_t figure) {
    return known ? lab::grouped(figure) : std::string("?");
  };
  const device::Properties& gpu = lab.device().properties();
  {
    const Recording recording(lab, Job::declick);
    const std::vector<Side> sides = side_by_side(lab, recording, kSorts, 0, checks);
    lab.progress(0.4, {});
    show_table(lab, "sorts", counted, sides, [&](const Side& side) {
      const auto& [record, kernel, out, constant, textured] = side.ran;
      const auto spaces = lab::spaces_of(*record, kernel, gpu);
      return fmt::format("{:>6}{:>10}{:>9}{:>6}  ", kernel.local_bytes,
                         text(record->counted, record->total.local_requests),
                         text(spaces.machine_local.has_value(), spaces.machine_local.value_or(0)),
                         text(kernel.registers.has_value(), kernel.registers.value_or(0)));
    });
    add_times(sides, times);
  }
  {
    const Recording recording(lab, Job::smooth);
    const std::vector<Side> sides = side_by_side(lab, recording, kPlaces, 0, checks);
    lab.progress(0.7, {});
    show_table(lab, "side", counted, sides, [&](const Side& side) {
      const device::LaunchRecord& record = *side.ran.record;
      const device::Counters& total = record.total;
      return fmt::format("{:>8}{:>8}{:>9}{:>8}  ", text(record.counted, total.global_requests),
                         text(record.counted, total.shared_requests),
                         text(record.counted, total.constant_requests),
                         text(record.counted, total.texture_requests));
    });
    add_times(sides, times);
  }
  {
    const Recording recording(lab, Job::mixer);
    const std::vector<Side> sides = side_by_side(lab, recording, kMixers, kTracedForPasses, checks);
    show_table(lab, "mixers", counted, sides, [&](const Side& side) {
      const device::LaunchRecord& record = *side.ran.record;
      const device::Counters& total = record.total;
      const auto passes = lab::constant_passes_a_request(record);
      const bool shared = total.shared_requests != 0;
      return fmt::format("{:>8}{:>8}{:>9}{:>7}  ", text(record.counted, total.global_requests),
                         text(record.counted, total.shared_requests),
                         text(record.counted, total.constant_requests),
                         passes   ? lab::number(*passes, 3)
                         : shared ? lab::number(static_cast<double>(total.shared_wavefronts) /
                                                    static_cast<double>(total.shared_requests),
                                                3)
                         : record.counted ? "-"
                                          : "?");
    });
    add_times(sides, times);
  }
  lab.show({"side-time", {"memory-spaces.side-time"}, std::nullopt, std::move(times)});
  lab.show({"side-check", {"memory-spaces.side.check"}, counted, std::move(checks)});
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
  lab::Message calls = look_closely(lab, counted);
  compare_places(lab, counted);
  show_limits(lab);
  show_calls(lab, std::move(calls), counted);
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

}  // namespace

lab::Lesson memory_spaces() {
  lab::Lesson lesson;
  lesson.slug = "memory-spaces";
  const std::string words = "memory-spaces.parameter.", presets = "memory-spaces.preset.";
  lesson.parameters = {whole_number(words, "n", "memory-spaces.unit.samples", 1024, 1, 1 << 20),
                       whole_number(words, "block", "memory-spaces.unit.threads", 128, 32, 1024),
                       whole_number(words, "channels", "", 4, 1, 8),
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
      {"global-requests", [](const lab::Report& r) { return requests_of(r, Space::l1); }},
      {"constant-requests", [](const lab::Report& r) { return requests_of(r, Space::constant); }},
      {"constant-passes", constant_passes},
      {"machine-local", machine_local},
      {"registers", registers},
      {"right", spaces_right},
      {"readers", readers},
      {"sectors", [](const lab::Report& r) {
         const auto* way = journey_in(r);
         return way ? lab::grouped(way->sectors) : "";
       }}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"local-bytes", local_bytes},
      {"global-requests", [](const lab::Report& r) { return requests_of(r, Space::l1); }},
      {"passes-a-request", passes_a_request},
      {"right", spaces_right},
      {"readers", readers}};
  lesson.exercises = {"local-array", "smooth-tile", "constant-filter", "texture-borders"};
  return lesson;
}

}  // namespace warpbook::lessons
