// Coalescing: memory moves in sectors of 32 bytes, and a warp's lanes decide how many.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using device::Argument;

constexpr std::int64_t kCoalescingBlock = 64;
constexpr std::size_t kFields = 8;  ///< of a particle, a float each
constexpr std::size_t kX = 0, kVx = 3;
constexpr float kStep = 0.5f;

/// Small integers, exact in float whatever is added up, no two neighbours alike.
float element(std::int64_t i) { return static_cast<float>(i * 37 % 1009); }

std::vector<float> elements(std::int64_t count) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(element(i));
  return values;
}

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

struct Step {
  std::shared_ptr<const device::LaunchRecord> record;
  std::vector<float> x, truth;  ///< after the step
};

/// A step of particles, whose fields lie together ("aos") or in an array each.
Step step(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
          const std::string& layout) {
  const std::int64_t n = lab.integer("particles");
  const auto count = static_cast<std::size_t>(n);
  const bool structures = layout == "aos";
  const auto field = [](std::size_t f, std::size_t i) {
    return element(static_cast<std::int64_t>(i * kFields + f));
  };
  Step done;
  for (std::size_t i = 0; i < count; ++i)
    done.truth.push_back(field(kX, i) + field(kVx, i) * kStep);

  std::vector<device::Buffer> buffers;
  std::vector<Argument> arguments;
  if (structures) {
    buffers.push_back(lab.upload<float>("p", elements(n * std::int64_t{kFields})));
    arguments = {pointer_argument(buffers[0])};
  } else {
    constexpr const char* kNames[] = {"x", "y", "z", "vx", "vy", "vz", "mass", "charge"};
    std::vector<float> values(count);
    for (std::size_t f = 0; f < kFields; ++f) {
      for (std::size_t i = 0; i < count; ++i) values[i] = field(f, i);
      buffers.push_back(lab.upload<float>(kNames[f], values));
    }
    arguments = {pointer_argument(buffers[kX]), pointer_argument(buffers[kVx])};
  }
  arguments.push_back(number_argument(n));
  arguments.push_back(Argument::of(kStep));
  done.record = lab.launch(launch_of(module, layout, n, kCoalescingBlock, std::move(arguments)));
  const std::vector<float> after = lab.download<float>(buffers[kX]);
  for (std::size_t i = 0; i < count; ++i) done.x.push_back(after[structures ? i * kFields : i]);
  return done;
}

/// How many times as many, in whole numbers: "4".
std::string ratio(double many, double few) {
  return few > 0 ? std::to_string(std::llround(many / few)) : "";
}

/// A reader may have taken one out.
bool has_kernel(const device::Module& module, const std::string& name) {
  const auto kernels = module.kernels();
  return std::ranges::find(kernels, name, &device::KernelInfo::name) != kernels.end();
}

/// Both layouts side by side, from L1 down to DRAM.
void show_layouts(lab::Lab& lab, const device::LaunchRecord& aos, const device::LaunchRecord& soa) {
  if (!aos.estimate || !soa.estimate) return;
  const auto bytes = [](double value) {
    return lab::byte_count(static_cast<std::uint64_t>(std::llround(value)));
  };
  lab.show({"layouts",
            {"coalescing.layouts.title"},
            aos.estimate->time,
            lab::TextExhibit{
                {"coalescing.layouts.sentence",
                 {{"aos_l1", lab::byte_count(32 * aos.total.global_sectors)},
                  {"aos_l2", bytes(aos.estimate->l2_bytes)},
                  {"aos_dram", bytes(aos.estimate->dram_bytes)},
                  {"aos_time", lab::duration(aos.estimate->seconds)},
                  {"soa_l1", lab::byte_count(32 * soa.total.global_sectors)},
                  {"soa_l2", bytes(soa.estimate->l2_bytes)},
                  {"soa_dram", bytes(soa.estimate->dram_bytes)},
                  {"soa_time", lab::duration(soa.estimate->seconds)},
                  {"dram_ratio", ratio(aos.estimate->dram_bytes, soa.estimate->dram_bytes)}}}}});
}

/// The layout that the reader chose, in full; the other one beside it in the roofline and in the comparison of bytes.
void particles(lab::Lab& lab, const device::Evidence& counted) {
  const std::string& chosen = lab.choice("layout");
  const Step shown = step(lab, lab.compile("move"), chosen);
  lab.show({"particles", {"coalescing.particles"}, counted, lab::sectors_of(*shown.record)});
  lab.show({"particles-check",
            {"coalescing.check.particles"},
            counted,
            check_of("coalescing.check.", *shown.record, shown.x, shown.truth)});
  lab.show({"particles-time",
            {"coalescing.time.particles"},
            std::nullopt,
            times_of(lab, *shown.record)});
  // A module of its own, so that the source beside the text shows the costs of the first launch alone.
  const auto module = lab.compile_source("move.cu", lab.source("move"));
  std::vector<lab::RooflineRun> runs;
  for (const std::string layout : {"aos", "soa"}) {
    std::shared_ptr<const device::LaunchRecord> record = shown.record;
    if (layout != chosen) {
      if (!has_kernel(*module, layout)) continue;
      record = step(lab, module, layout).record;
    }
    runs.push_back({lab::Message::plain(layout), {std::move(record)}});
  }
  if (runs.size() == 2) show_layouts(lab, *runs[0].records[0], *runs[1].records[0]);
  show_roofline(lab, "coalescing.roofline.title", runs, chosen);
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
  if (!chunk.record->estimate || !interleaved.record->estimate) return;
  const device::Estimate &a = *chunk.record->estimate, &b = *interleaved.record->estimate;
  const auto bytes = [](double value) {
    return lab::byte_count(static_cast<std::uint64_t>(value));
  };
  lab.show({"below",
            {"coalescing.below.title"},
            a.time,
            lab::TextExhibit{{"coalescing.below.sentence",
                              {{"chunk", bytes(a.l2_bytes)},
                               {"interleaved", bytes(b.l2_bytes)},
                               {"hits", lab::number(100 * a.l1_hits, 3)},
                               {"ratio", ratio(a.l2_bytes, b.l2_bytes)}}}}});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void coalescing_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  lab::Message calls = gather(lab, counted);
  particles(lab, counted);
  walks(lab, counted);
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

/// Of the layout that the reader chose: its operations a byte, and how many would be needed.
std::pair<std::string, std::string> balance_of(const lab::Report& report) {
  const auto* roofline = report.find_as<lab::RooflineExhibit>("roofline");
  if (!roofline || roofline->chosen >= roofline->points.size()) return {};
  const lab::RooflineExhibit::Point& point = roofline->points[roofline->chosen];
  if (!lab::is_drawn(point)) return {};
  return {lab::number(lab::intensity_of(point), 2),
          lab::number(lab::ridge_of(*roofline, point.ceiling), 3)};
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
      whole_number(words, "items", "coalescing.unit.elements", 8, 1, 32)};
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
      {"chunk-below", [](const lab::Report& r) { return text_argument(r, "below", "chunk"); }},
      {"interleaved-below",
       [](const lab::Report& r) { return text_argument(r, "below", "interleaved"); }},
      {"hits", [](const lab::Report& r) { return text_argument(r, "below", "hits"); }},
      {"aos-l1", [](const lab::Report& r) { return text_argument(r, "layouts", "aos_l1"); }},
      {"soa-l1", [](const lab::Report& r) { return text_argument(r, "layouts", "soa_l1"); }},
      {"aos-l2", [](const lab::Report& r) { return text_argument(r, "layouts", "aos_l2"); }},
      {"soa-l2", [](const lab::Report& r) { return text_argument(r, "layouts", "soa_l2"); }},
      {"aos-dram", [](const lab::Report& r) { return text_argument(r, "layouts", "aos_dram"); }},
      {"soa-dram", [](const lab::Report& r) { return text_argument(r, "layouts", "soa_dram"); }},
      {"aos-time", [](const lab::Report& r) { return text_argument(r, "layouts", "aos_time"); }},
      {"soa-time", [](const lab::Report& r) { return text_argument(r, "layouts", "soa_time"); }},
      {"intensity", [](const lab::Report& r) { return balance_of(r).first; }},
      {"balance", [](const lab::Report& r) { return balance_of(r).second; }}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"sectors", [](const lab::Report& r) { return sectors_of_first(r, "map"); }},
      {"used", [](const lab::Report& r) { return used_of_first(r, "map"); }},
      {"particle-sectors", [](const lab::Report& r) { return sectors_of_first(r, "particles"); }},
      {"walks", walks_said},
      {"walk-sectors", [](const lab::Report& r) { return sectors_of_first(r, "walk"); }},
      {"l2-ratio", [](const lab::Report& r) { return text_argument(r, "below", "ratio"); }},
      {"dram-ratio",
       [](const lab::Report& r) { return text_argument(r, "layouts", "dram_ratio"); }}};
  lesson.exercises = {"aos-to-soa", "interleave"};
  return lesson;
}

}  // namespace warpbook::lessons
