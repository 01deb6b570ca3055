// What a long training came to. It takes minutes, so `warpbook train` ran it once and wrote it down, with when and on what.
#include <nlohmann/json.hpp>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/cnn/runs.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::cnn {
namespace {

/// A share as per cent, in three digits.
std::string per_cent(double share) { return lab::number(100 * share, 3); }

/// What `warpbook train --json` wrote of a training.
nlohmann::json record_of(const lab::Lab& lab, const std::string& task) {
  return nlohmann::json::parse(lab::require(
      lab::read_source_file(lab.context().root, std::string(kRecorded) + task + ".json")));
}

/// What it ran on, in the reader's language.
lab::Message device_of(const nlohmann::json& record) {
  if (!record["simulated"].get<bool>()) return lab::Message::plain(record["gpu"]);
  return {"phrase.device.simulated", {{"gpu", record["gpu"].get<std::string>()}}, {}};
}

/// Before each epoch, and at the end.
std::vector<float> epochs_of(const nlohmann::json& record, std::uint64_t steps_an_epoch) {
  std::vector<float> epochs;
  const auto add = [&](std::uint64_t step) {
    epochs.push_back(static_cast<float>(step) / static_cast<float>(steps_an_epoch));
  };
  for (const nlohmann::json& point : record["curve"]) add(point["step"]);
  add(record["steps"]);
  return epochs;
}

/// Shares of right answers in per cent, by those epochs. `in_a_point`, `at_the_end`: what the record calls them.
lab::CurveExhibit::Series shares_of(const nlohmann::json& record, const char* label,
                                    const char* in_a_point, const char* at_the_end) {
  std::vector<float> shares;
  for (const nlohmann::json& point : record["curve"])
    shares.push_back(100 * point[in_a_point].get<float>());
  shares.push_back(100 * record[at_the_end].get<float>());
  return {{"cnn.recorded." + std::string(label)}, tensor_of(label, shares), {}, 0, 0};
}

std::vector<lab::CurveExhibit::Series> curves_of(const nlohmann::json& record) {
  std::vector<lab::CurveExhibit::Series> curves;
  curves.push_back(shares_of(record, "training", "accuracy", "training"));
  curves.push_back(shares_of(record, "held-out", "held_out", "held_out"));
  return curves;
}

}  // namespace

void recorded(lab::Lab& lab, const Setting& setting) {
  const nlohmann::json record = record_of(lab, setting.task), shapes = record_of(lab, "shapes");
  const std::vector<float> epochs = epochs_of(record, setting.preset().point_every);
  const device::Evidence evidence{device::EvidenceKind::recorded, device_of(record),
                                  record["when"]};
  const lab::Message task{"cnn.task." + setting.task};
  lab.show({"recorded",
            {"cnn.recorded.title", {{"task", task}}},
            evidence,
            lab::curve_of({"cnn.recorded.epochs"}, tensor_of("epoch", epochs), curves_of(record),
                          epochs.size())});
  const auto& first = record["curve"].front();
  const auto& last = record["curve"].back();
  lab.show({"recorded-end",
            {"cnn.recorded.end", {{"task", task}}},
            evidence,
            lab::TextExhibit{{"cnn.recorded.sentence",
                              {{"first_loss", lab::number(first["loss"], 3)},
                               {"loss", lab::number(last["loss"], 2)},
                               {"steps", lab::grouped(record["steps"].get<std::uint64_t>())},
                               {"training", per_cent(record["training"])},
                               {"held_out", per_cent(record["held_out"])},
                               {"shapes_held_out", per_cent(shapes["held_out"])}}}}});
}

}  // namespace warpbook::lessons::cnn
