// What cuDNN would run for the network's convolutions: the first engine of its list for each direction.
#include <fmt/format.h>

#include "lab/ladder/algorithms_of.hpp"
#include "lessons/cnn/runs.hpp"
#include "lessons/common.hpp"
#include "training/data.hpp"

namespace warpbook::lessons::cnn {
namespace {

namespace libraries_of = device::libraries;

libraries_of::Problem problem_of(const Setting& setting, bool second, libraries_of::Pass pass) {
  const std::int64_t filters = setting.network.filters, side = setting.network.side,
                     pixels = second ? training::kImageSide / 2 : training::kImageSide;
  libraries_of::Problem problem;
  problem.pass = pass;
  problem.image = {setting.images, second ? filters : 3, pixels, pixels};
  problem.filters = second ? 2 * filters : filters;
  problem.window = {side, side};
  problem.pad = {(side - 1) / 2, (side - 1) / 2};
  return problem;
}

/// "engine 38, 26 KiB"; "-" where there is none, or no cuDNN.
std::string first_choice(lab::Lab& lab, const libraries_of::Problem& problem) {
  lab::AlgorithmsRequest request;
  request.problem = problem;
  request.gpu = gpu_for_libraries(lab);
  request.onednn = request.times = false;
  const lab::AlgorithmsExhibit found =
      lab::require(lab::algorithms_of(request, lab.context().stop));
  for (const auto& group : found.groups) {
    if (group.rows.empty()) continue;
    return group.rows.front().name + ", " + lab::byte_count(group.rows.front().workspace);
  }
  return "-";
}

}  // namespace

void libraries(lab::Lab& lab, const Setting& setting) {
  lab::Message table{"cnn.libraries.not-asked", {}, {}};
  if (lab.toggle("libraries")) {
    table.key = "cnn.libraries.table";
    for (const bool second : {false, true}) {
      for (const auto pass :
           {libraries_of::Pass::forward, libraries_of::Pass::data, libraries_of::Pass::filter}) {
        const std::string name =
            std::string(second ? "conv2_" : "conv1_") + std::string(name_of(pass));
        table.arguments.emplace_back(
            name, fmt::format("{:<22}", first_choice(lab, problem_of(setting, second, pass))));
      }
    }
  }
  const bool asked = lab.toggle("libraries");
  lab.show({"libraries", {"cnn.libraries.title"}, std::nullopt, lab::TextExhibit{table, asked}});
}

}  // namespace warpbook::lessons::cnn
