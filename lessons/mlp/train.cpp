// The loop: steps of the chosen training, and what can be seen of it on the way.
#include <algorithm>
#include <cmath>
#include <stop_token>
#include <utility>

#include "lab/exhibits/boundary/boundary.hpp"
#include "lab/exhibits/sectors/sectors.hpp"
#include "lab/exhibits/source/source_marks.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/common.hpp"
#include "lessons/mlp/runs.hpp"
#include "training/trainer.hpp"

namespace warpbook::lessons::mlp {
namespace {

using lab::BoundaryExhibit;
using lab::LearningExhibit;
using training::Engine;
using training::NotedLaunch;
using training::Observing;
using training::Tensor;

constexpr std::uint64_t kPoints = 10;        ///< of the curve, about
constexpr std::uint64_t kFirstSteps = 2;     ///< that a draft trains
constexpr std::uint32_t kTraced = 1u << 16;  ///< accesses of each launch of the first step
constexpr std::int64_t kSide = 40;           ///< cells in a row of the plane
constexpr double kReach = 1.25;              ///< of the plane; the data lie within

/// The middles of the cells, row by row from the top.
std::vector<float> middles_of_cells() {
  std::vector<float> middles;
  const auto middle = [](std::int64_t cell) {
    return static_cast<float>(kReach * (2 * static_cast<double>(cell) + 1 - kSide) / kSide);
  };
  for (std::int64_t row = 0; row < kSide; ++row) {
    for (std::int64_t column = 0; column < kSide; ++column) {
      middles.push_back(middle(column));
      middles.push_back(-middle(row));
    }
  }
  return middles;
}

/// Asks a network in the plane for its answers.
class Plane {
 public:
  Plane(lab::Lab& lab, Engine& engine, const training::Samples& samples, std::int64_t classes)
      : engine_(engine), classes_(classes), samples_(samples.x) {
    file_ = std::string(kVariants) + "answers.cu";
    answers_ = lab.compile_source("answers.cu",
                                  lab::require(lab::read_source_file(lab.context().root, file_)));
    cells_ = engine.upload("cells", {kSide * kSide, 2}, middles_of_cells());
    exhibit_.side = kSide;
    exhibit_.classes = static_cast<std::uint32_t>(classes);
    exhibit_.reach = kReach;
    const std::vector<float> places = engine.download(samples.x);
    for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
      exhibit_.x.push_back(static_cast<double>(places[i]));
      exhibit_.y.push_back(static_cast<double>(places[i + 1]));
    }
    for (const std::int32_t label : engine.download<std::int32_t>(*samples.labels))
      exhibit_.labels.push_back(static_cast<std::uint32_t>(label));
  }

  void look(const training::Network& network, std::uint64_t step) {
    exhibit_.frames.push_back({step, answers_at(network, cells_), answers_at(network, samples_)});
  }
  [[nodiscard]] const BoundaryExhibit& exhibit() const { return exhibit_; }

 private:
  std::vector<std::uint32_t> answers_at(const training::Network& network, const Tensor& places) {
    constexpr std::int64_t kBlock = 128;
    training::Tape tape(engine_);
    const Tensor logits = network.forward(tape, tape.data("places", places)).value();
    const std::int64_t count = places.shape[0];
    const Tensor answer = engine_.empty("answer", {count}, device::ElementType::i32);
    engine_.launch("answers", file_,
                   lessons::launch_of(answers_, "", count, kBlock,
                                      {device::Argument::pointer(logits.address()),
                                       device::Argument::pointer(answer.address()),
                                       number_argument(count), number_argument(classes_)}));
    const std::vector<std::int32_t> answers = engine_.download<std::int32_t>(answer);
    return {answers.begin(), answers.end()};
  }

  Engine& engine_;
  std::int64_t classes_;
  Tensor samples_, cells_;
  std::string file_;
  std::shared_ptr<const device::Module> answers_;
  BoundaryExhibit exhibit_;
};

/// What stands beside the run while it goes on.
class Watch {
 public:
  Watch(lab::Lab& lab, const Setting& setting, Engine& engine, training::Trainer& trainer,
        std::uint64_t point_every)
      : lab_(lab),
        setting_(setting),
        engine_(engine),
        trainer_(trainer),
        every_(point_every),
        counted_{device::EvidenceKind::counted, lab.device_name(), {}} {
    curve_.runs.push_back({{"mlp.network." + setting.network}, {}});
    curve_.steps = static_cast<std::uint64_t>(setting.steps);
    curve_.opens = "launch";
    if (setting.classifies()) {
      plane_.emplace(lab, engine, trainer.task().training, setting.network == kSpiral ? 3 : 2);
      plane_->look(trainer.task().network, 0);
    }
  }

  training::Controls controls() {
    training::Controls controls;
    controls.stop = overflow_.get_token();
    controls.observing = [&](std::uint64_t done) {
      const bool seen = done % every_ == 0;
      return Observing{.costs = seen, .records = seen, .trace_accesses = done == 0 ? kTraced : 0};
    };
    controls.point = [&](const training::CurvePoint& point) { add(point); };
    controls.stepped = [&](std::uint64_t done) { stepped(done); };
    return controls;
  }

  /// What the first step launched.
  [[nodiscard]] const std::vector<NotedLaunch>& first_step() const { return first_step_; }

  void show() {
    lab_.show({"curve", {"mlp.curve"}, counted_, curve_});
    if (plane_) lab_.show({"boundary", {"mlp.boundary"}, counted_, plane_->exhibit()});
  }

 private:
  /// A loss that no float can hold any more is no point, and ends the training.
  void add(const training::CurvePoint& point) {
    if (!std::isfinite(point.loss)) {
      overflow_.request_stop();
      return;
    }
    curve_.runs.front().points.push_back({point.step, point.loss, point.accuracy, {}});
  }

  void stepped(std::uint64_t done) {
    // Every kernel was checked for everything in the first step. So long a run is checked for bad accesses alone.
    engine_.set_checks(device::kAccessChecks);
    if ((done - 1) % every_ == 0) note_launches();
    if (done % every_ != 0) return;
    if (plane_) plane_->look(trainer_.task().network, done);
    lab_.progress(static_cast<double>(done) / static_cast<double>(curve_.steps),
                  {"mlp.progress", {{"step", done}, {"steps", curve_.steps}}});
    show();
    lab_.publish();
  }

  void note_launches() {
    const auto& launches = engine_.launches();
    if (first_step_.empty()) first_step_ = launches;
    if (!curve_.runs.front().points.empty()) {
      for (const NotedLaunch& noted : launches)
        curve_.runs.front().points.back().launches.push_back(launch_of(noted));
    }
    engine_.observe({});
  }

  lab::Lab& lab_;
  const Setting& setting_;
  Engine& engine_;
  training::Trainer& trainer_;
  std::uint64_t every_;
  device::Evidence counted_;
  LearningExhibit curve_;
  std::optional<Plane> plane_;
  std::vector<NotedLaunch> first_step_;
  std::stop_source overflow_;
};

/// The launch's source with its counters.
lab::SourceExhibit source_of(lab::Lab& lab, const NotedLaunch& noted, const Kernel& linear) {
  lab::SourceExhibit source;
  source.file = noted.kernel_file.substr(noted.kernel_file.rfind('/') + 1);
  if (noted.kernel_file == linear.file) {
    source.text = lab.source("linear");
    source.ptx = lab.program(lab.request_of_slot("linear"))->ptx;
    source.slot = "linear";
  } else {
    source.text = lab::require(lab::read_source_file(lab.context().root, noted.kernel_file));
  }
  lab::SourceMarks marks(source);
  marks.add(*noted.record);
  return marks.exhibit();
}

/// Into a launch of the first step: its lines, and the lanes of its warps.
void look_into(lab::Lab& lab, const Setting& setting, const std::vector<NotedLaunch>& launches,
               const Kernel& linear) {
  if (launches.empty()) return;
  const auto number =
      std::min<std::size_t>(static_cast<std::size_t>(setting.launch), launches.size());
  const NotedLaunch& noted = launches[number - 1];
  if (!noted.record) return;
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const lab::MessageArguments which{{"number", number}, {"of", launches.size()}};
  lab.show({"kernel", {"mlp.kernel", which}, counted, source_of(lab, noted, linear)});
  lab.show({"warp", {"mlp.warp", which}, counted, lab::sectors_of(*noted.record)});
}

}  // namespace

LearningExhibit::Launch launch_of(const NotedLaunch& noted) {
  LearningExhibit::Launch launch;
  launch.layer = noted.layer;
  launch.operation = noted.operation;
  launch.kernel = noted.kernel_file;
  launch.pass = static_cast<LearningExhibit::Pass>(noted.pass);
  if (!noted.record) return launch;
  const device::LaunchRecord& record = *noted.record;
  launch.blocks = record.grid.count();
  launch.warp_instructions = record.total.warp_instructions;
  launch.bytes = record.total.global_sectors * device::kSectorBytes;
  if (!record.estimate) return launch;
  launch.seconds = record.estimate->seconds;
  launch.low = record.estimate->low;
  launch.high = record.estimate->high;
  return launch;
}

void train_a_little(lab::Lab& lab, const Setting& setting) {
  const auto steps =
      std::min<std::uint64_t>(kFirstSteps, static_cast<std::uint64_t>(setting.steps));
  const Kernel linear{lab.compile_source("linear.cu", lab.source("linear")), kLinearFile};
  const training::Preset preset = preset_of(setting, 1, linear);
  Engine engine(lab);
  // The whole training, which follows, checks for everything.
  engine.set_checks({.memcheck = true, .initcheck = false});
  training::Trainer trainer(engine, preset, setting.seed);
  Watch watch(lab, setting, engine, trainer, steps);
  training::Controls controls = watch.controls();
  controls.observing = [](std::uint64_t) { return Observing{}; };
  trainer.run(steps, controls);
  watch.show();
}

void train(lab::Lab& lab, const Setting& setting) {
  const Kernel linear{lab.compile("linear"), kLinearFile};
  const auto steps = static_cast<std::uint64_t>(setting.steps);
  const std::uint64_t point_every = std::max<std::uint64_t>(1, steps / kPoints);
  const training::Preset preset = preset_of(setting, point_every, linear);
  Engine engine(lab);
  training::Trainer trainer(engine, preset, setting.seed);
  Watch watch(lab, setting, engine, trainer, point_every);
  trainer.run(steps, watch.controls());
  watch.show();
  look_into(lab, setting, watch.first_step(), linear);
}

}  // namespace warpbook::lessons::mlp
