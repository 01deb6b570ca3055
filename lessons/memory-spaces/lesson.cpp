// Memory spaces: where a value stands decides who sees it, for how long, and what it costs to have it.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

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

constexpr std::uint32_t kSpacesBlock = 128;
constexpr std::uint32_t kTraced = 1u << 19;  ///< more than the largest run has
constexpr const char* kFolder = "lessons/memory-spaces/variants/";
constexpr std::array kPlaces{"registers", "local", "shared", "global", "constant", "texture"};

/// What all kernels of a run share: out[i] is the sum of c[k] * x[i + k]. Whole numbers, so that every order of adding
/// gives the same sum.
struct Filter {
  std::int64_t n = 0, taps = 0, turn = 0;
  std::vector<float> x, c, truth;
  device::Buffer d_x, d_c;

  explicit Filter(lab::Lab& lab)
      : n(lab.integer("n")),
        taps(lab.integer("taps")),
        turn(lab.choice("index") == "by-lane" ? 1 : 0) {
    for (std::int64_t i = 0; i < n + taps - 1; ++i)
      x.push_back(static_cast<float>(i * 7 % 31 - 15));
    for (std::int64_t k = 0; k < taps; ++k) c.push_back(static_cast<float>(k + 1));
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < taps; ++k) {
        sum += static_cast<double>(c[static_cast<std::size_t>(k)]) *
               static_cast<double>(x[static_cast<std::size_t>(i + k)]);
      }
      truth.push_back(static_cast<float>(sum));
    }
    d_x = lab.upload<float>("x", x);
    d_c = lab.upload<float>("c", c);
  }
};

struct FilterRan {
  std::shared_ptr<const device::LaunchRecord> record;
  device::KernelInfo kernel;
  std::vector<float> out;
  std::optional<device::AllocationInfo> constant;  ///< where the coefficients were copied by name
  std::shared_ptr<const device::Texture> texture;  ///< through which they are read
};

/// Launches a module's only kernel. What it declares decides where it finds the coefficients: in its variable
/// `coefficients`, through a texture object, or at an address.
FilterRan launch_filter(lab::Lab& lab, const Filter& filter,
                        const std::shared_ptr<const device::Module>& module,
                        const device::Buffer& d_out) {
  FilterRan ran;
  ran.kernel = *lab::require(module->kernel(""));
  if (const auto symbol = lab.device().global(*module, "coefficients")) {
    ran.constant = *symbol;
    lab.copy_to_symbol(*module, "coefficients", std::as_bytes(std::span(filter.c)));
  }
  const auto& parameters = ran.kernel.parameters;
  if (parameters.size() > 1 && parameters[1].declared == "unsigned long long") {
    device::TextureDescription description;
    description.address = filter.d_c.address();
    description.bytes = filter.d_c.bytes();
    ran.texture = lab.texture(description);
  }
  device::Launch launch;
  launch.module = module;
  launch.grid = {blocks_for(filter.n, kSpacesBlock), 1, 1};
  launch.block = {kSpacesBlock, 1, 1};
  launch.arguments = {
      pointer_argument(filter.d_x),
      ran.texture ? device::Argument::of(ran.texture->handle) : pointer_argument(filter.d_c),
      pointer_argument(d_out), number_argument(filter.n), number_argument(filter.turn)};
  launch.observe.trace_accesses = kTraced;
  ran.record = lab.launch(std::move(launch));
  ran.out = lab.download<float>(d_out);
  return ran;
}

/// The value that the reader follows: a sample, or a coefficient in whichever memory the kernel has it.
lab::Followed followed(lab::Lab& lab, const Filter& filter, const FilterRan& ran) {
  const bool sample = lab.choice("array") == "x";
  const std::vector<float>& values = sample ? filter.x : filter.c;
  const device::Buffer& buffer = sample ? filter.d_x : filter.d_c;
  lab::Followed made;
  made.array = sample ? "x" : "c";
  made.count = values.size();
  made.index = std::min(static_cast<std::uint64_t>(lab.integer("follow")), made.count - 1);
  made.address = buffer.address() + sizeof(float) * made.index;
  made.value = lab::number(values[made.index]);
  if (sample) return made;
  if (ran.constant) made.constant = ran.constant->address + sizeof(float) * made.index;
  made.textured = ran.texture != nullptr;
  return made;
}

/// The memories again, with the value's way over them.
lab::ExhibitValue journey(lab::Lab& lab, const Filter& filter, const FilterRan& ran,
                          const device::Properties& gpu) {
  if (!ran.record->counted) return lab::TextExhibit{{"memory-spaces.journey.untraced", {}}};
  lab::SpacesExhibit way = lab::spaces_of(*ran.record, ran.kernel, gpu);
  way.journey = lab::journey_of(*ran.record, followed(lab, filter, ran), gpu);
  return way;
}

/// The kernel that the reader sees and edits. Gives back what the host asked for until then.
lab::Message look_closely(lab::Lab& lab, const Filter& filter, const device::Evidence& counted) {
  const auto module = lab.compile("filter", {{"TAPS", std::to_string(filter.taps)}});
  const device::Buffer d_out =
      lab.allocate("out", device::ElementType::f32, static_cast<std::uint64_t>(filter.n));
  const FilterRan ran = launch_filter(lab, filter, module, d_out);
  const device::Properties& gpu = lab.device().properties();
  lab.show(
      {"spaces", {"memory-spaces.spaces"}, counted, lab::spaces_of(*ran.record, ran.kernel, gpu)});
  lab.show({"geometry", {"memory-spaces.geometry"}, counted, lab::geometry_of(*ran.record)});
  lab::TensorExhibit out = tensor_of(d_out.name(), ran.out);
  for (std::size_t i = 0; i < ran.out.size(); ++i) {
    if (ran.out[i] != filter.truth[i]) out.wrong.push_back(i);
  }
  lab.show({"out", {"memory-spaces.out"}, counted, std::move(out)});
  lab.show({"check",
            {"memory-spaces.check.title"},
            counted,
            check_of("memory-spaces.check.", *ran.record, ran.out, filter.truth)});
  lab.show({"journey", {"memory-spaces.journey.title"}, counted, journey(lab, filter, ran, gpu)});
  return host_calls(lab.device());
}

/// The coefficients in each place in turn, with the same samples.
void side_by_side(lab::Lab& lab, const Filter& filter, const device::Evidence& counted) {
  Message table{"memory-spaces.side.table"};
  lab::CheckExhibit checks;
  lab::TimingsExhibit times{{"memory-spaces.side.what"}, {}};
  for (const std::string place : kPlaces) {
    if (place == "texture" && !lab.device().supports(device::Feature::textures)) {
      table.arguments.emplace_back(place, "");
      continue;
    }
    const std::string file = place + ".cu";
    const auto module = lab.compile_source(
        file, lab::require(lab::read_source_file(lab.context().root, kFolder + file)),
        {{"TAPS", std::to_string(filter.taps)}});
    const device::Buffer d_out =
        lab.allocate("out", device::ElementType::f32, static_cast<std::uint64_t>(filter.n));
    const FilterRan ran = launch_filter(lab, filter, module, d_out);
    const device::Counters& total = ran.record->total;
    // What nobody counted is not 0.
    const auto counted_of = [&](std::uint64_t requests) {
      return ran.record->counted ? lab::grouped(requests) : std::string("?");
    };
    table.arguments.emplace_back(
        place, fmt::format("{:>7}{:>6}{:>7}{:>6}{:>5}{:>5}  ", counted_of(total.global_requests),
                           counted_of(total.local_requests), counted_of(total.shared_requests),
                           counted_of(total.constant_requests), counted_of(total.texture_requests),
                           ran.kernel.registers ? std::to_string(*ran.kernel.registers) : "?"));
    lab::CheckExhibit::Item item =
        check_of("memory-spaces.check.", *ran.record, ran.out, filter.truth).items.front();
    item.id = "right-" + place;
    item.sentence = {"memory-spaces.side." + place};
    if (ran.record->findings_total != 0) item.state = lab::CheckExhibit::State::failed;
    checks.items.push_back(std::move(item));
    if (ran.record->estimate)
      times.rows.push_back(lab::timing_of({"memory-spaces.side." + place}, *ran.record->estimate));
    lab.progress(static_cast<double>(checks.items.size() + 1) / (kPlaces.size() + 1), {});
  }
  lab.show({"side", {"memory-spaces.side.title"}, counted, lab::TextExhibit{table, true}});
  lab.show({"side-check", {"memory-spaces.side.check"}, counted, std::move(checks)});
  lab.show({"side-time", {"run.time.title"}, std::nullopt, std::move(times)});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void memory_spaces_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const Filter filter(lab);
  lab::Message calls = look_closely(lab, filter, counted);
  side_by_side(lab, filter, counted);
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
  const auto* out = report.find_as<lab::TensorExhibit>("out");
  return out ? lab::grouped(lab::count(*out) - out->wrong.size()) : "";
}

}  // namespace

lab::Lesson memory_spaces() {
  lab::Lesson lesson;
  lesson.slug = "memory-spaces";
  const std::string words = "memory-spaces.parameter.", presets = "memory-spaces.preset.";
  lesson.parameters = {whole_number(words, "taps", "memory-spaces.unit.taps", 8, 1, 16),
                       whole_number(words, "n", "memory-spaces.unit.samples", 1024, 1, 4096),
                       choice(words, "index", {"uniform", "by-lane"}),
                       choice(words, "array", {"c", "x"}),
                       whole_number(words, "follow", "", 3, 0, 4110)};
  using Int = std::int64_t;
  lesson.presets = {
      preset(presets, "eight-taps", {}),
      preset(presets, "sixteen-by-lane", {{"taps", Int{16}}, {"index", std::string("by-lane")}}),
      preset(presets, "largest", {{"taps", Int{16}}, {"n", Int{4096}}})};
  lesson.slots = {{"filter", "lessons/memory-spaces/variants/local.cu"}};
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
      {"idle", idle_threads},
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
      {"machine-local", machine_local},
      {"right", spaces_right},
      {"idle", idle_threads},
      {"readers", readers}};
  lesson.exercises = {"local-array", "constant-filter", "texture-borders"};
  return lesson;
}

}  // namespace warpbook::lessons
