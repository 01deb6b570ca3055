// Coalescing: memory moves in sectors of 32 bytes, and a warp's lanes decide how many.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/levels.hpp"

namespace warpbook::lessons {
namespace {

using device::Argument;

constexpr std::int64_t kCoalescingBlock = 64, kWarp = 32;
constexpr std::size_t kFields = 8;  ///< of a particle, a float each
constexpr std::size_t kX = 0, kVx = 3;
constexpr float kStep = 0.5f;
constexpr std::int64_t kMillion = 1 << 20;  ///< particles of the table of both layouts
/// Of their blocks that run: all do the same, and so many are resident on sixteen multiprocessors.
constexpr std::uint64_t kMillionBlocks = 512;
/// Strides of the table: all until a sector each is reached, and two beyond.
constexpr std::array<std::int64_t, 11> kStrides{0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32};

/// What the bars of two launches show: their bytes and times, then what each part would need by itself.
const std::vector<std::string> kLevels{"l1",      "l2",      "dram",     "time",
                                       "l1_time", "l2_time", "dram_time"};

/// Small integers, exact in float whatever is added up, no two neighbours alike.
constexpr std::int64_t kValues = 1009;
float element(std::int64_t i) { return static_cast<float>(i * 37 % kValues); }

std::vector<float> elements(std::int64_t count) { return periodic(count, kValues, element); }

/// out[i] = in[i * stride + offset]. Gives back what the host asked for until then.
lab::Message gather(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t n = lab.integer("n"), stride = lab.integer("stride"),
                     offset = lab.integer("offset");
  const std::vector<float> in = elements((n - 1) * stride + offset + 1);
  std::vector<float> truth;
  for (std::int64_t i = 0; i < n; ++i) truth.push_back(element(i * stride + offset));
  const auto module = lab.compile("gather");
  const device::Buffer d_in = lab.upload<float>("in", in);
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, truth.size());
  const auto record =
      lab.launch(launch_of(module, "gather", n, kCoalescingBlock,
                           {pointer_argument(d_in), pointer_argument(d_out), number_argument(n),
                            number_argument(stride), number_argument(offset)}));
  const std::vector<float> out = lab.download<float>(d_out);
  lab::Message calls = host_calls(lab.device());
  lab.show({"map", {"coalescing.map"}, counted, lab::sectors_of(*record)});
  lab.show({"check",
            {"coalescing.check.title"},
            counted,
            check_of("coalescing.check.", *record, out, truth)});
  lab.show({"geometry", {"coalescing.geometry"}, counted, lab::geometry_of(*record)});
  return calls;
}

/// The book's own version of a kernel, whatever the reader made of it.
std::string variant(lab::Lab& lab, const std::string& name) {
  return lab::require(
      lab::read_source_file(lab.context().root, "lessons/coalescing/variants/" + name + ".cu"));
}

/// The book's gather for one warp, stride by stride: how many sectors and cache lines its load touches.
void strides(lab::Lab& lab, const device::Evidence& counted) {
  const auto module = lab.compile_source("gather.cu", variant(lab, "gather"));
  const device::Buffer d_in = lab.upload<float>("in", elements(kStrides.back() * kWarp));
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, kWarp);
  std::vector<lab::BarsExhibit::Bar> sectors, lines;
  std::string limit;
  std::size_t most = 0;
  for (const std::int64_t stride : kStrides) {
    const auto record = lab.launch(
        launch_of(module, "gather", kWarp, kWarp,
                  {pointer_argument(d_in), pointer_argument(d_out), number_argument(kWarp),
                   number_argument(stride), number_argument(0)}));
    const lab::SectorsExhibit load = lab::sectors_of(*record);
    if (load.chosen >= load.requests.size()) return;
    const lab::RequestSectors request = lab::touched_by(load, load.requests[load.chosen]);
    const std::size_t touched = request.sectors.size();
    if (touched > most) limit = std::to_string(stride);
    most = std::max(most, touched);
    const lab::Message name{"coalescing.strides.name", {{"stride", std::to_string(stride)}}, {}};
    sectors.push_back(count_bar(name, touched));
    lines.push_back(count_bar(name, lab::lines_of(request).size()));
  }
  lab.show({"strides",
            {"coalescing.strides.title"},
            counted,
            lab::BarsExhibit{
                {"coalescing.strides.sentence", {{"limit", limit}, {"most", lab::grouped(most)}}},
                {{{"coalescing.strides.sectors"}, std::move(sectors)},
                 {{"coalescing.strides.lines"}, std::move(lines)}}}});
}

float field(std::size_t particle, std::size_t f) {
  return element(static_cast<std::int64_t>(particle * kFields + f));
}

struct Step {
  std::shared_ptr<const device::LaunchRecord> record;
  device::Buffer x;  ///< or whole particles
};

/// A step of n particles, whose fields are neighbours ("aos") or in an array each ("soa": of those that the step needs). Of the
/// launch, `blocks` run; 0: all.
Step step(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
          const std::string& layout, std::vector<device::Buffer> buffers, std::int64_t n,
          std::uint64_t blocks = 0) {
  std::vector<Argument> arguments;
  for (const device::Buffer& buffer : buffers) arguments.push_back(pointer_argument(buffer));
  arguments.push_back(number_argument(n));
  arguments.push_back(Argument::of(kStep));
  device::Launch launch = launch_of(module, layout, n, kCoalescingBlock, std::move(arguments));
  launch.estimate.blocks = blocks;
  auto record = lab.launch(std::move(launch));
  return {std::move(record), std::move(buffers[0])};
}

std::vector<device::Buffer> particles_in(lab::Lab& lab, const std::string& layout, std::int64_t n) {
  std::vector<device::Buffer> buffers;
  if (layout == "aos") {
    buffers.push_back(lab.upload<float>("p", elements(n * std::int64_t{kFields})));
    return buffers;
  }
  for (const auto& [name, f] : {std::pair{"x", kX}, std::pair{"vx", kVx}}) {
    const auto of_particle = [f](std::int64_t i) { return field(static_cast<std::size_t>(i), f); };
    buffers.push_back(lab.upload<float>(name, periodic(n, kValues, of_particle)));
  }
  return buffers;
}

/// A step of a million particles, all of which are at 0 and stand still: that decides no time.
std::shared_ptr<const device::LaunchRecord> step_of_a_million(
    lab::Lab& lab, const std::shared_ptr<const device::Module>& module, const std::string& layout) {
  std::vector<device::Buffer> buffers;
  const auto add = [&](const char* name, std::int64_t count) {
    buffers.push_back(
        lab.allocate(name, device::ElementType::f32, static_cast<std::uint64_t>(count)));
    lab.fill(buffers.back(), std::byte{0});
  };
  if (layout == "aos") {
    add("p", kMillion * std::int64_t{kFields});
  } else {
    add("x", kMillion);
    add("vx", kMillion);
  }
  return step(lab, module, layout, std::move(buffers), kMillion, kMillionBlocks).record;
}

/// Both layouts of a million particles, whatever the reader looks at.
void layouts(lab::Lab& lab) {
  const auto module = lab.compile_source("move.cu", variant(lab, "move"));
  const auto aos = step_of_a_million(lab, module, "aos"),
             soa = step_of_a_million(lab, module, "soa");
  show_levels(lab, "coalescing.", "layouts", *aos, *soa, kLevels);
}

/// The layout that the reader chose, lane by lane.
void particles(lab::Lab& lab, const device::Evidence& counted) {
  const std::string& layout = lab.choice("layout");
  const std::int64_t n = lab.integer("particles");
  const auto module = lab.compile("move");
  const Step shown = step(lab, module, layout, particles_in(lab, layout, n), n);
  const std::vector<float> after = lab.download<float>(shown.x);
  std::vector<float> x, truth;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    x.push_back(after[layout == "aos" ? i * kFields : i]);
    truth.push_back(field(i, kX) + field(i, kVx) * kStep);
  }
  lab.show({"particles", {"coalescing.particles"}, counted, lab::sectors_of(*shown.record)});
  lab.show({"particles-check",
            {"coalescing.check.particles"},
            counted,
            check_of("coalescing.check.", *shown.record, x, truth)});
  lab.show({"particles-time",
            {"coalescing.time.particles"},
            std::nullopt,
            times_of(lab, *shown.record)});
}

struct Walk {
  std::shared_ptr<const device::LaunchRecord> record;
  std::vector<float> sums, truth;
};

/// Each of n threads adds up `items` elements: which, the kernel of that name says.
Walk walk(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
          const std::string& kernel, const device::Buffer& d_in) {
  const std::int64_t n = lab.integer("n"), items = lab.integer("items");
  Walk done;
  const std::int64_t fours = kernel == "vectors" ? items / 4 * 4 : 0;
  for (std::int64_t t = 0; t < n; ++t) {
    float sum = 0;
    for (std::int64_t k = 0; k < items; ++k) {
      std::int64_t at = kernel == "chunk" ? t * items + k : k * n + t;
      if (k < fours) at = 4 * (k / 4 * n + t) + k % 4;
      sum += element(at);
    }
    done.truth.push_back(sum);
  }
  const device::Buffer d_sums =
      lab.allocate("sums", device::ElementType::f32, static_cast<std::uint64_t>(n));
  done.record = lab.launch(launch_of(module, kernel, n, kCoalescingBlock,
                                     {pointer_argument(d_in), pointer_argument(d_sums),
                                      number_argument(n), number_argument(items)}));
  done.sums = lab.download<float>(d_sums);
  return done;
}

/// Sectors of the first request, and of all requests that read.
std::pair<std::string, std::string> loads_of(const lab::SectorsExhibit& sectors) {
  if (sectors.chosen >= sectors.requests.size()) return {};
  std::uint64_t all = 0;
  for (const auto& place : sectors.places)
    all += place.kind == device::AccessKind::load ? place.sectors : 0;
  return {std::to_string(lab::touched_by(sectors, sectors.requests[sectors.chosen]).sectors.size()),
          lab::grouped(all)};
}

/// Both ways to share out the work, and the one that the reader chose in full.
void walks(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t n = lab.integer("n"), items = lab.integer("items");
  const std::string& chosen = lab.choice("walk");
  const auto module = lab.compile("sums");
  const device::Buffer d_in = lab.upload<float>("mass", elements(n * items));
  const Walk chunk = walk(lab, module, "chunk", d_in),
             interleaved = walk(lab, module, "interleaved", d_in);
  const Walk other = chosen == "vectors" ? walk(lab, module, "vectors", d_in) : Walk{};
  const Walk& shown = chosen == "chunk" ? chunk : chosen == "vectors" ? other : interleaved;
  lab.show({"walk", {"coalescing.walk"}, counted, lab::sectors_of(*shown.record)});
  lab.show({"walk-check",
            {"coalescing.check.walk"},
            counted,
            check_of("coalescing.check.", *shown.record, shown.sums, shown.truth)});
  lab.show({"walk-time", {"coalescing.time.walk"}, std::nullopt, times_of(lab, *shown.record)});
  const auto one = loads_of(lab::sectors_of(*chunk.record)),
             two = loads_of(lab::sectors_of(*interleaved.record));
  lab.show({"walks",
            {"coalescing.walks.title"},
            counted,
            lab::TextExhibit{{"coalescing.walks.sentence",
                              {{"chunk", one.first},
                               {"chunk_all", one.second},
                               {"interleaved", two.first},
                               {"interleaved_all", two.second}}}}});
  show_levels(lab, "coalescing.", "below", *chunk.record, *interleaved.record, kLevels);
  std::vector<lab::RooflineRun> runs{{lab::Message::plain("chunk"), {chunk.record}},
                                     {lab::Message::plain("interleaved"), {interleaved.record}}};
  if (other.record) runs.push_back({lab::Message::plain("vectors"), {other.record}});
  show_roofline(lab, "coalescing.roofline.title", runs, chosen);
}

/// The chapter's runs. They read like the host side of a CUDA program.
void coalescing_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  for (const std::string slot : {"move", "sums"}) lab.compile_soon(lab.request_of_slot(slot));
  lab::Message calls;
  lab.side_by_side({[&](lab::Lab& part) { calls = gather(part, counted); },
                    [&](lab::Lab& part) { strides(part, counted); },
                    [&](lab::Lab& part) { particles(part, counted); },
                    [&](lab::Lab& part) { layouts(part); },
                    [&](lab::Lab& part) { walks(part, counted); }});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

/// Of an exhibit's request that is shown first.
std::string sectors_of_first(const lab::Report& report, std::string_view id) {
  const auto* sectors = report.find_as<lab::SectorsExhibit>(id);
  return sectors ? loads_of(*sectors).first : "";
}
std::string used_of_first(const lab::Report& report, std::string_view id) {
  const auto* sectors = report.find_as<lab::SectorsExhibit>(id);
  if (!sectors || sectors->chosen >= sectors->requests.size()) return {};
  const lab::RequestSectors touched = lab::touched_by(*sectors, sectors->requests[sectors->chosen]);
  return lab::percent_of(touched.used, touched.moved());
}

std::string asked_of(const lab::Report& report, std::string_view id) {
  const auto* sectors = report.find_as<lab::SectorsExhibit>(id);
  return sectors ? lab::byte_count(lab::totals_of(*sectors).bytes_asked) : "";
}
std::string moved_of(const lab::Report& report, std::string_view id) {
  const auto* sectors = report.find_as<lab::SectorsExhibit>(id);
  return sectors ? lab::byte_count(lab::totals_of(*sectors).sectors * device::kSectorBytes) : "";
}

std::string walks_said(const lab::Report& report) {
  const std::string chunk = text_argument(report, "walks", "chunk");
  return chunk.empty() ? "" : chunk + "; " + text_argument(report, "walks", "interleaved");
}

/// Requests that read and the sectors that they moved: "16; 256".
std::string walk_loads(const lab::Report& report) {
  const auto* sectors = report.find_as<lab::SectorsExhibit>("walk");
  if (!sectors) return {};
  std::uint64_t requests = 0, moved = 0;
  for (const auto& place : sectors->places) {
    if (place.kind != device::AccessKind::load) continue;
    requests += place.requests;
    moved += place.sectors;
  }
  return requests == 0 ? "" : lab::grouped(requests) + "; " + lab::grouped(moved);
}

const lab::RooflineExhibit* roofline(const lab::Report& report) {
  const auto* found = report.find_as<lab::RooflineExhibit>("roofline");
  return found && found->chosen < found->points.size() &&
                 lab::is_drawn(*found, found->points[found->chosen])
             ? found
             : nullptr;
}
std::string limiter(const lab::Report& report) {
  const auto* found = roofline(report);
  return found ? found->points[found->chosen].limiter : "";
}
/// Of DRAM's slope or the flat roof, whichever is lower there: what a run of the roofline reaches, in per cent.
std::string share(const lab::Report& report, std::string_view run) {
  const auto* found = roofline(report);
  if (!found) return {};
  const auto point = std::ranges::find(found->points, lab::Message::plain(std::string(run)),
                                       &lab::RooflineExhibit::Point::name);
  return point == found->points.end() ? ""
                                      : lab::number(100 * lab::share_of_roof(*found, *point), 2);
}

}  // namespace

lab::Lesson coalescing() {
  lab::Lesson lesson;
  lesson.slug = "coalescing";
  const std::string words = "coalescing.parameter.", presets = "coalescing.preset.";
  lesson.parameters = {
      whole_number(words, "stride", "coalescing.unit.elements", 1, 0, 32),
      whole_number(words, "offset", "coalescing.unit.elements", 0, 0, 32),
      whole_number(words, "n", "coalescing.unit.threads", 128, 1, 1 << 18),
      choice(words, "layout", {"aos", "soa"}),
      whole_number(words, "particles", "coalescing.unit.particles", 128, 1, 1 << 20),
      choice(words, "walk", {"chunk", "interleaved", "vectors"}),
      whole_number(words, "items", "coalescing.unit.elements", 16, 1, 32)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "neighbours", {}),
                    preset(presets, "scattered", {{"stride", Int{8}}}),
                    preset(presets, "shifted", {{"offset", Int{1}}}),
                    preset(presets, "arrays", {{"layout", std::string("soa")}})};
  const auto slot = [](const std::string& name) {
    return lab::SourceSlot{name, "lessons/coalescing/variants/" + name + ".cu", {}};
  };
  lesson.slots = {slot("gather"), slot("move"), slot("sums")};
  lesson.experiment = coalescing_experiment;
  lesson.figures = {
      {"sectors", [](const lab::Report& r) { return sectors_of_first(r, "map"); }},
      {"used", [](const lab::Report& r) { return used_of_first(r, "map"); }},
      {"asked", [](const lab::Report& r) { return asked_of(r, "map"); }},
      {"moved", [](const lab::Report& r) { return moved_of(r, "map"); }},
      {"particle-sectors", [](const lab::Report& r) { return sectors_of_first(r, "particles"); }},
      {"particle-used", [](const lab::Report& r) { return used_of_first(r, "particles"); }},
      {"particle-asked", [](const lab::Report& r) { return asked_of(r, "particles"); }},
      {"particle-moved", [](const lab::Report& r) { return moved_of(r, "particles"); }},
      {"walk-sectors", [](const lab::Report& r) { return sectors_of_first(r, "walk"); }},
      {"walk-used", [](const lab::Report& r) { return used_of_first(r, "walk"); }},
      {"chunk-sectors",
       [](const lab::Report& r) { return text_argument(r, "walks", "chunk_all"); }},
      {"interleaved-sectors",
       [](const lab::Report& r) { return text_argument(r, "walks", "interleaved_all"); }},
      {"hits", [](const lab::Report& r) { return text_argument(r, "below", "hits"); }},
      {"dram-rate",
       [](const lab::Report& r) {
         const auto* found = roofline(r);
         return found ? lab::byte_rate(lab::memory_rate(*found)) : "";
       }},
      {"l2-rate",
       [](const lab::Report& r) {
         const auto* found = roofline(r);
         return found && found->memories.size() > 1 ? lab::byte_rate(found->memories[1].rate) : "";
       }},
      {"peak-rate",
       [](const lab::Report& r) {
         const auto* found = roofline(r);
         return found ? lab::operation_rate(lab::ceiling_rate(*found, 0)) : "";
       }},
      {"balance",
       [](const lab::Report& r) {
         const auto* found = roofline(r);
         return found ? lab::number(lab::ridge_of(*found, 0), 3) : "";
       }},
      {"slope-rate",
       [](const lab::Report& r) {
         const auto* found = roofline(r);
         return found ? lab::operation_rate(lab::roof_over(*found, found->points[found->chosen]))
                      : "";
       }},
      {"chunk-share", [](const lab::Report& r) { return share(r, "chunk"); }},
      {"interleaved-share", [](const lab::Report& r) { return share(r, "interleaved"); }}};
  std::ranges::move(level_figures("layouts", "aos", "soa"), std::back_inserter(lesson.figures));
  std::ranges::move(level_figures("below", "chunk", "interleaved"),
                    std::back_inserter(lesson.figures));
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"sectors", [](const lab::Report& r) { return sectors_of_first(r, "map"); }},
      {"used", [](const lab::Report& r) { return used_of_first(r, "map"); }},
      {"particle-sectors", [](const lab::Report& r) { return sectors_of_first(r, "particles"); }},
      {"stride-limit", [](const lab::Report& r) { return text_argument(r, "strides", "limit"); }},
      {"walks", walks_said},
      {"walk-loads", walk_loads},
      {"dram-ratio",
       [](const lab::Report& r) { return text_argument(r, "layouts", "dram_ratio"); }},
      {"l2-ratio", [](const lab::Report& r) { return text_argument(r, "below", "l2_ratio"); }},
      {"limiter", limiter}};
  lesson.exercises = {"aos-to-soa", "interleave"};
  return lesson;
}

}  // namespace warpbook::lessons
