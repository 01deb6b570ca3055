// What fusing layers and launching a step as a graph save: launches are counted, times are estimated by the clock of whole programs.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/experiment/host_side.hpp"
#include "lab/text/strings.hpp"
#include "lessons/common.hpp"
#include "lessons/mlp/runs.hpp"
#include "training/trainer.hpp"

namespace warpbook::lessons::mlp {
namespace {

using lab::HostSide;
using training::NotedLaunch;

/// A step, and how far it came.
struct Step {
  std::vector<NotedLaunch> launches;
  double loss_after = 0;
};

Step step_of(lab::Lab& lab, Setting setting, bool fused, const Kernel& linear) {
  setting.fused = fused;
  const training::Preset preset = preset_of(setting, 1, linear);
  training::Engine engine(lab);
  // The reader may have edited the fused kernel. All others are ours, which are checked for everything elsewhere.
  if (!fused) engine.set_checks(device::kAccessChecks);
  training::Trainer trainer(engine, preset, setting.seed);
  Step step;
  training::Controls controls;
  controls.observing = [](std::uint64_t done) {
    return training::Observing{.costs = done == 0, .records = done == 0};
  };
  controls.stepped = [&](std::uint64_t done) {
    if (done == 1) step.launches = engine.launches();
    engine.set_checks(device::kAccessChecks);
  };
  controls.point = [&](const training::CurvePoint& point) { step.loss_after = point.loss; };
  trainer.run(2, controls);
  return step;
}

/// The host asks for a step, and waits for its end.
lab::TimelineExhibit timeline_of(lab::Lab& lab, const Step& step, bool graph, double call_seconds) {
  const double more = std::max(0.0, call_seconds - HostSide::kOneCall.seconds);
  HostSide host;
  if (graph) host.spend("cudaGraphLaunch", HostSide::kOneCall);
  for (const NotedLaunch& noted : step.launches) {
    HostSide::Work work = HostSide::launch_of(*noted.record);
    work.name = noted.operation;
    if (graph) {
      host.work(work);
      continue;
    }
    if (more > 0) host.spend("framework", {more, more, more});
    host.ask("cudaLaunchKernel", work);
  }
  host.wait("cudaDeviceSynchronize");
  return host.timeline(lab::Message::plain(lab.device().properties().name));
}

double kernels_of(const Step& step) {
  double seconds = 0;
  for (const NotedLaunch& noted : step.launches)
    if (noted.record->estimate) seconds += noted.record->estimate->seconds;
  return seconds;
}

struct Way {
  const char* name;
  const Step& step;
  bool graph;
};

/// In tens of microseconds, as one estimates by hand.
std::string tens(double seconds) { return lab::number(std::round(1e5 * seconds) * 10, 6); }

}  // namespace

void savings(lab::Lab& lab, const Setting& setting) {
  // The source is shown, and its lines are counted, where the training runs.
  const Kernel linear{lab.compile_source("linear.cu", lab.source("linear")), kLinearFile};
  const Step separate = step_of(lab, setting, false, linear),
             fused = step_of(lab, setting, true, linear);
  const std::array<Way, 4> ways{{{"separate", separate, false},
                                 {"fused", fused, false},
                                 {"separate_graph", separate, true},
                                 {"fused_graph", fused, true}}};
  device::MessageArguments said{{"network", lab::Message{"mlp.network." + setting.network}},
                                {"call", lab::number(1e6 * setting.call_seconds, 3)}};
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  for (const Way& way : ways) {
    const lab::TimelineExhibit timeline =
        timeline_of(lab, way.step, way.graph, setting.call_seconds);
    if (!timeline.times) return;
    const std::size_t launches = way.step.launches.size(), calls = way.graph ? 1 : launches;
    const double whole = lab::whole_of(timeline),
                 host = static_cast<double>(calls) *
                        (way.graph ? HostSide::kOneCall.seconds : setting.call_seconds);
    const std::string name = way.name;
    const lab::Message label{"mlp.savings." + name};
    const auto time = [&](double seconds) {
      return lab::BarsExhibit::Bar{label, seconds, lab::duration(seconds)};
    };
    bars.push_back(
        {count_bar(label, launches), time(host), time(kernels_of(way.step)), time(whole)});
    said.emplace_back(name + "_launches", launches);
    said.emplace_back(name + "_kernels", lab::duration(kernels_of(way.step)));
    said.emplace_back(name + "_time", lab::duration(whole));
    said.emplace_back(name + "_tens", tens(whole));
  }
  said.emplace_back("fewer", separate.launches.size() - fused.launches.size());
  said.emplace_back("same", separate.loss_after == fused.loss_after ? "yes" : "no");
  const device::Evidence estimated{
      device::EvidenceKind::estimated, lab::Message::plain(lab.device().properties().name), {}};
  show_side_by_side(lab, "mlp.", "savings", estimated, {"launches", "host", "kernels", "step"},
                    bars, std::move(said));
  const Step& chosen = setting.fused ? fused : separate;
  lab.show({"timeline",
            {setting.graph ? "mlp.timeline-graph" : "mlp.timeline"},
            estimated,
            timeline_of(lab, chosen, setting.graph, setting.call_seconds)});
}

}  // namespace warpbook::lessons::mlp
