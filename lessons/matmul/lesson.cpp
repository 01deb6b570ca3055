// Matrix product: intensity buys speed, from one element a thread to tensor cores.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/ladder/recorded_times.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/matmul/runs.hpp"

namespace warpbook::lessons {
namespace {

/// The chapter's runs. They read like the host side of a CUDA program.
void matmul_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  matmul::compile_rungs_soon(lab);
  matmul::show_work(lab);
  lab::Message calls;
  lab.side_by_side(
      {[&](lab::Lab& part) { calls = matmul::show_reads(part, counted); },
       [&](lab::Lab& part) { matmul::show_instruction(part, counted); },
       [&](lab::Lab& part) { matmul::show_strassen(part); },
       lab::remembered({.name = "matmul/ladder",
                        .unread = {"version"},
                        .run = [&](lab::Lab& part) { matmul::show_ladder(part, counted); }}),
       lab::remembered({.name = "matmul/climb",
                        .unread = {"words", "features"},
                        .run = [&](lab::Lab& part) { matmul::show_climb(part); }}),
       lab::recorded_times("sgemm")});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

std::optional<double> number_in(const lab::Report& report, std::string_view exhibit,
                                const std::string& argument) {
  std::string digits = text_argument(report, exhibit, argument);
  std::erase(digits, ',');
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || read.ec != std::errc()) return {};
  return value;
}

/// A count of the version for `times` multiply-adds.
std::string for_products(const lab::Report& report, const std::string& count, double times,
                         int digits) {
  const auto all = number_in(report, "counts", count),
             products = number_in(report, "work", "products");
  return all && products ? lab::number(times * *all / *products, digits) : "";
}

/// How many times the version's threads load each element of a, on average: half of what they load is of a where both tiles are
/// as large, or none is used.
std::string loads_of_a(const lab::Report& report, const std::string& version) {
  const auto loaded = number_in(report, "counts", version + "_loaded"),
             elements = number_in(report, "work", "a_elements");
  if (!loaded || !elements || *elements == 0) return {};
  return lab::grouped(static_cast<std::uint64_t>(std::llround(*loaded / 2 / *elements)));
}

lab::LiveFigure argument_of(const std::string& figure, const std::string& exhibit,
                            const std::string& argument) {
  return {figure,
          [=](const lab::Report& report) { return text_argument(report, exhibit, argument); }};
}

}  // namespace

lab::Lesson matmul_chapter() {
  lab::Lesson lesson;
  lesson.slug = "matmul";
  const std::string words = "matmul.parameter.", presets = "matmul.preset.";
  lab::Parameter tile = whole_number(words, "tile", "matmul.unit.elements", 16, 4, 32);
  lesson.parameters = {choice(words, "version", matmul::versions(), "tiled"), std::move(tile),
                       whole_number(words, "words", "matmul.unit.rows", 256, 1, 512),
                       whole_number(words, "features", "matmul.unit.columns", 256, 16, 512)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "text", {}), preset(presets, "one-word", {{"words", Int{1}}}),
                    preset(presets, "registers", {{"version", std::string("register_tile")}})};
  // A slot for each version; the one that was chosen is beside the page.
  int number = 0;
  for (const std::string& version : matmul::versions()) {
    lesson.slots.push_back(
        {version, "kernels/sgemm/0" + std::to_string(++number) + "_" + version + ".cu", {}});
  }
  lesson.experiment = matmul_experiment;
  lesson.figures = {argument_of("products", "work", "products"),
                    argument_of("layer-products", "layer", "products"),
                    argument_of("layer-bytes", "layer", "bytes"),
                    argument_of("layer-intensity", "layer", "intensity"),
                    argument_of("rounded", "rounded", "c"),
                    argument_of("fp32-error", "errors", "register_tile_error"),
                    argument_of("tf32-error", "errors", "tf32_mma_error"),
                    argument_of("strassen-error", "errors", "strassen_error")};
  for (const std::string& version : matmul::versions()) {
    std::string name = version;
    std::ranges::replace(name, '_', '-');
    lesson.figures.push_back(argument_of(name + "-time", "speeds", version + "_time"));
    lesson.figures.push_back(argument_of(name + "-rate", "speeds", version + "_rate"));
    lesson.figures.push_back(argument_of(name + "-intensity", "speeds", version + "_intensity"));
    lesson.figures.push_back(argument_of(name + "-small", "small", version + "_time"));
    lesson.figures.push_back({name + "-instructions", [=](const lab::Report& r) {
                                return for_products(r, version + "_instructions", 32, 3);
                              }});
  }
  for (lab::LiveFigure& figure : call_figures()) lesson.figures.push_back(std::move(figure));
  lesson.answers = {
      {"naive-loads", [](const lab::Report& r) { return loads_of_a(r, "naive"); }},
      {"sectors", [](const lab::Report& r) { return for_products(r, "coalesced_sectors", 32, 2); }},
      {"tiled-loads", [](const lab::Report& r) { return loads_of_a(r, "tiled"); }},
      {"square-loads",
       [](const lab::Report& r) { return for_products(r, "register_tile_shared", 64, 2); }},
      {"rounded", [](const lab::Report& r) { return text_argument(r, "rounded", "c"); }},
      {"strassen-from", [](const lab::Report& r) { return text_argument(r, "strassen", "from"); }},
      {"blocks",
       [](const lab::Report& r) { return text_argument(r, "small", "register_tile_blocks"); }},
      {"intensity", [](const lab::Report& r) {
         const auto of = number_in(r, "work", "intensity");
         return of ? lab::number(*of, 2) : "";
       }}};
  lesson.exercises = {"tiled-matmul", "register-tile"};
  return lesson;
}

}  // namespace warpbook::lessons
