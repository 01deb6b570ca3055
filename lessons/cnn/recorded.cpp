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

/// What it ran on, in the reader's language; the record has it in English.
lab::Message device_of(const nlohmann::json& record) {
  constexpr std::string_view kSimulated = ", simulated";
  std::string device = record["device"];
  if (!device.ends_with(kSimulated)) return lab::Message::plain(device);
  device.resize(device.size() - kSimulated.size());
  return {"phrase.device.simulated", {{"gpu", device}}, {}};
}

}  // namespace

void recorded(lab::Lab& lab, const Setting& setting) {
  const nlohmann::json record = record_of(lab, setting.task), shapes = record_of(lab, "shapes");
  const auto steps_an_epoch = static_cast<float>(setting.preset().point_every);
  std::vector<float> epochs, right;
  for (const nlohmann::json& point : record["curve"]) {
    epochs.push_back(point["step"].get<float>() / steps_an_epoch);
    right.push_back(100 * point["accuracy"].get<float>());
  }
  const device::Evidence evidence{device::EvidenceKind::recorded, device_of(record),
                                  record["when"]};
  const lab::Message task{"cnn.task." + setting.task};
  lab::CurveExhibit::Series series{{"cnn.recorded.training"}, tensor_of("right", right), {}, 0, 0};
  lab.show({"recorded",
            {"cnn.recorded.title", {{"task", task}}},
            evidence,
            lab::curve_of({"cnn.recorded.epochs"}, tensor_of("epoch", epochs), {std::move(series)},
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
                               {"training", per_cent(last["accuracy"])},
                               {"held_out", per_cent(record["held_out"])},
                               {"shapes_held_out", per_cent(shapes["held_out"])}}}}});
}

}  // namespace warpbook::lessons::cnn
