// The network: one step under the magnifying glass, the steps after it, and what it has learned.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lessons/cnn/runs.hpp"
#include "lessons/common.hpp"
#include "training/data.hpp"
#include "training/kernels_ahead.hpp"

namespace warpbook::lessons::cnn {
namespace {

using training::Pass;
using training::Samples;
using training::Tensor;
using Layers = lab::LayersExhibit;
using Work = Layers::Work;

/// Seconds of the longest launch, and instructions of its threads, for a hundred images and filters of 5 x 5.
constexpr double kLaunchSeconds = 60;
constexpr std::uint64_t kLaunchInstructions = 20'000'000'000;

device::Budget patient_budget() {
  device::Budget budget = lab::lesson_budget();
  budget.seconds = kLaunchSeconds;
  budget.thread_instructions = kLaunchInstructions;
  return budget;
}

Samples some_of(const Samples& all, std::int64_t begin, std::int64_t end) {
  Samples part = all;
  part.x = all.x.sliced(0, begin, end);
  part.labels = all.labels->sliced(0, begin, end);
  if (all.target) part.target = all.target->sliced(0, begin, end);
  return part;
}

/// What is shown of one image, as long as it is not known which one the reader looks at: "maps@3".
std::string id_of(const char* id, std::int64_t image) {
  return std::string(id) + "@" + std::to_string(image);
}

/// What the network says of some images, and how far that is from their labels.
struct Answered {
  training::Variable answer, loss;
  Tensor hits;
  std::optional<Tensor> probabilities;  ///< none where it answers with a number
};
Answered answered(training::Engine& engine, training::Tape& tape, const training::Task& task,
                  const Samples& batch) {
  const training::Variable answer = task.network.forward(tape, tape.data("image", batch.x));
  const training::Engine::LayerScope layer(engine, "loss");
  if (!batch.target) {
    training::Tape::Classified classified = tape.cross_entropy(answer, *batch.labels);
    return {answer, classified.loss, classified.hits, classified.probabilities};
  }
  const training::Variable loss = tape.mean_square_error(answer, *batch.target);
  const Tensor hits =
      training::nearest_number_hits(engine, answer.value(), *batch.labels, batch.classes);
  return {answer, loss, hits, std::nullopt};
}

// ---- The layers of the step

/// An array of one image as an exhibit's value.
lab::TensorExhibit of_image(training::Engine& engine, const std::string& name, const Tensor& of_all,
                            std::int64_t image) {
  const Tensor one = of_all.sliced(0, image, image + 1);
  std::vector<std::uint64_t> shape(of_all.shape.begin() + 1, of_all.shape.end());
  return tensor_of(name, engine.download(one), std::move(shape));
}

/// One map of several, as rows and columns. A list of values is a row.
lab::TensorExhibit map_of(const lab::TensorExhibit& maps, std::uint64_t map) {
  const auto& shape = maps.shape;
  if (shape.size() < 3) return tensor_of(maps.name, floats_of(maps), {1, lab::count(maps)});
  const std::vector<float> values = floats_of(maps);
  const std::uint64_t size = shape[1] * shape[2];
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(map * size);
  return tensor_of(maps.name, std::vector(first, first + static_cast<std::ptrdiff_t>(size)),
                   {shape[1], shape[2]});
}

/// The map whose gradient is largest, which the loss depends on most.
std::uint64_t decisive_map(const lab::TensorExhibit& gradients) {
  if (gradients.shape.size() < 3) return 0;
  const std::vector<float> values = floats_of(gradients);
  const std::size_t maps = gradients.shape[0], size = values.size() / maps;
  std::vector<double> sums(maps);
  for (std::size_t i = 0; i < values.size(); ++i)
    sums[i / size] += std::abs(static_cast<double>(values[i]));
  return static_cast<std::uint64_t>(std::ranges::max_element(sums) - sums.begin());
}

/// What a launch of the way back is for. Of a linear layer's two products the first gives the gradient of its data.
Work work_of(const training::NotedLaunch& launch, bool first_product) {
  if (launch.pass == Pass::forward) return Work::forward;
  if (launch.pass == Pass::update) return Work::update;
  if (launch.operation == "sgemm_strided") return first_product ? Work::data : Work::weights;
  const bool of_weights = launch.operation == "convolution_backward_filter" ||
                          launch.operation == "convolution_backward_bias" ||
                          launch.operation == "broadcast_backward";
  return of_weights ? Work::weights : Work::data;
}

void add_launch(Layers::Layer& layer, Work work, const training::NotedLaunch& launch) {
  auto found = std::ranges::find_if(layer.costs, [&](const Layers::Cost& cost) {
    return cost.work == work && cost.kernel == launch.kernel_file;
  });
  if (found == layer.costs.end()) {
    layer.costs.push_back({work, launch.kernel_file, 0, 0, 0, 0, 0});
    found = layer.costs.end() - 1;
  }
  ++found->launches;
  found->bytes += launch.record->total.global_sectors * device::kSectorBytes;
  if (!launch.record->estimate) return;
  found->seconds += launch.record->estimate->seconds;
  found->low += launch.record->estimate->low;
  found->high += launch.record->estimate->high;
}

void add_launches(Layers::Layer& layer, const training::Engine& engine) {
  std::size_t products_back = 0;
  for (const training::NotedLaunch& launch : engine.launches()) {
    if (launch.layer != layer.name) continue;
    const bool product_back = launch.pass == Pass::backward && launch.operation == "sgemm_strided";
    add_launch(layer, work_of(launch, product_back && products_back == 0), launch);
    products_back += product_back ? 1 : 0;
  }
}

/// Weights move in a step of the trainer, which notes them by operation.
void add_updates(Layers::Layer& layer, const std::vector<training::OperationCost>& costs) {
  for (const training::OperationCost& cost : costs) {
    if (cost.layer != layer.name || cost.pass != Pass::update) continue;
    layer.costs.push_back(
        {Work::update, cost.kernel, cost.launches, cost.bytes, cost.seconds, cost.low, cost.high});
  }
}

Layers::Layer layer_of(training::Engine& engine, const training::Layer& layer,
                       const training::Tape& tape, std::int64_t image) {
  const auto last =
      std::ranges::find_if(tape.nodes().rbegin(), tape.nodes().rend(),
                           [&](const auto& node) { return node.layer == layer.name(); });
  const training::Variable& output = last->output;
  Layers::Layer made;
  made.name = layer.name();
  made.shape.assign(output.shape().begin() + 1, output.shape().end());
  made.bytes = static_cast<std::uint64_t>(output.value().count()) * sizeof(float);
  for (const training::Variable& parameter : layer.parameters())
    made.parameters += static_cast<std::uint64_t>(parameter.value().count());
  const lab::TensorExhibit maps = of_image(engine, made.name, output.value(), image);
  if (!output.gradient()) {
    made.map = map_of(maps, 0);
    return made;
  }
  const lab::TensorExhibit gradients = of_image(engine, made.name, *output.gradient(), image);
  const std::uint64_t map = decisive_map(gradients);
  made.map = map_of(maps, map);
  made.gradient = map_of(gradients, map);
  return made;
}

Layers layers_of(training::Engine& engine, const training::Task& task, const training::Tape& tape,
                 const Samples& batch, std::int64_t image) {
  Layers made;
  made.images = static_cast<std::uint64_t>(batch.count());
  Layers::Layer first;
  first.name = "image";
  first.map = of_image(engine, first.name, batch.x, image);
  first.shape = first.map.shape;
  first.bytes = static_cast<std::uint64_t>(batch.x.count()) * sizeof(float);
  made.layers.push_back(std::move(first));
  for (const auto& layer : task.network.layers()) {
    if (layer->name() == "flatten") continue;  // a view
    Layers::Layer shown = layer_of(engine, *layer, tape, image);
    add_launches(shown, engine);
    made.layers.push_back(std::move(shown));
  }
  return made;
}

/// "estimated" where the GPU is simulated, from any launch that has an estimate.
std::optional<device::Evidence> times_of(const training::Engine& engine) {
  for (const training::NotedLaunch& launch : engine.launches()) {
    if (launch.record->estimate) return launch.record->estimate->time;
  }
  return std::nullopt;
}

// ---- The step in words and figures

std::uint64_t launches_in(const training::Engine& engine, Pass pass) {
  return static_cast<std::uint64_t>(
      std::ranges::count(engine.launches(), pass, &training::NotedLaunch::pass));
}

void show_step(lab::Lab& lab, training::Engine& engine, const Answered& said,
               const Setting& setting, const device::Evidence& counted) {
  const double loss = static_cast<double>(engine.download(said.loss.value())[0]);
  lab.show({"step",
            {"cnn.step.title"},
            counted,
            lab::TextExhibit{{setting.by_numbers() ? "cnn.step.by-numbers" : "cnn.step.sentence",
                              {{"images", setting.images},
                               {"loss", lab::number(loss, 3)},
                               {"hits", engine.download<std::int32_t>(said.hits)[0]},
                               {"forward", launches_in(engine, Pass::forward)},
                               {"backward", launches_in(engine, Pass::backward)}}}}});
}

/// The three convolutions of conv2: blocks, instructions, time.
void show_three(lab::Lab& lab, const training::Engine& engine,
                const std::optional<device::Evidence>& times) {
  device::MessageArguments said;
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  for (const std::string pass :
       {"convolution", "convolution_backward_data", "convolution_backward_filter"}) {
    const auto launch = std::ranges::find_if(engine.launches(), [&](const auto& noted) {
      return noted.layer == "conv2" && noted.operation == pass;
    });
    const device::LaunchRecord& record = *launch->record;
    const auto& estimate = record.estimate;
    const std::string time = estimate ? lab::duration(estimate->seconds) : "-",
                      band = estimate ? lab::duration(estimate->low) + " – " +
                                            lab::duration(estimate->high)
                                      : "-";
    const lab::Message label{"cnn.three." + pass};
    bars.push_back({count_bar(label, record.grid.count()),
                    count_bar(label, record.total.warp_instructions),
                    {label, estimate ? estimate->seconds : 0, band}});
    said.emplace_back(pass + "_blocks", lab::grouped(record.grid.count()));
    said.emplace_back(pass + "_time", time);
  }
  show_side_by_side(lab, "cnn.", "three", times, {"blocks", "instructions", "time"}, bars,
                    std::move(said));
}

Tensor output_of(const training::Tape& tape, const std::string& layer) {
  return std::ranges::find(tape.nodes(), layer, &training::Tape::Node::layer)->output.value();
}

lab::TensorExhibit heat(lab::TensorExhibit tensor) {
  tensor.view = lab::TensorExhibit::View::heat;
  return tensor;
}

void show_filters(lab::Lab& lab, training::Engine& engine, const training::Task& task,
                  const device::Evidence& counted) {
  const Tensor filters = task.network.parameters().front().value();
  const std::vector<std::uint64_t> shape(filters.shape.begin(), filters.shape.end());
  lab.show({"filters",
            {"cnn.filters"},
            counted,
            heat(tensor_of("conv1.weights", engine.download(filters), shape))});
}

/// An image: its number, and its place in the batch.
struct Shown {
  std::int64_t image = 0, at = 0;
};

void show_maps(lab::Lab& lab, training::Engine& engine, const training::Tape& tape, Shown shown,
               const device::Evidence& counted) {
  const auto maps_of = [&](const char* layer) {
    return heat(of_image(engine, layer, output_of(tape, layer), shown.at));
  };
  lab.show({id_of("maps", shown.image), {"cnn.maps"}, counted, maps_of("relu1")});
  lab.show({id_of("deep-maps", shown.image), {"cnn.deep-maps"}, counted, maps_of("relu2")});
}

void show_answer(lab::Lab& lab, training::Engine& engine, const Answered& said,
                 const Samples& batch, Shown shown, const device::Evidence& counted) {
  const std::int32_t label =
      engine.download<std::int32_t>(*batch.labels)[static_cast<std::size_t>(shown.at)];
  const lab::Message shape{"cnn.shape." + std::to_string(label)};
  const auto show = [&](lab::ExhibitValue value) {
    lab.show({id_of("answer", shown.image),
              {"cnn.answer.title", {{"image", shown.image + 1}}},
              counted,
              std::move(value)});
  };
  if (said.probabilities) {
    const auto of_image = engine.download(said.probabilities->sliced(0, shown.at, shown.at + 1));
    lab::BarsExhibit::Group answers = probability_bars(of_image);
    std::ranges::stable_sort(answers.bars, std::ranges::greater(), &lab::BarsExhibit::Bar::value);
    show(lab::BarsExhibit{{"cnn.answer.says", {{"shape", shape}}, {}}, {std::move(answers)}});
    return;
  }
  const float number = engine.download(said.answer.value())[static_cast<std::size_t>(shown.at)];
  show(lab::TextExhibit{{"cnn.answer.number",
                         {{"shape", shape},
                          {"label", label},
                          {"number", lab::number(static_cast<double>(number), 3)}},
                         {}}});
}

// ---- The steps after it

void show_live(lab::Lab& lab, const std::vector<training::CurvePoint>& curve,
               const device::Evidence& counted) {
  std::vector<float> steps, losses;
  for (const training::CurvePoint& point : curve) {
    steps.push_back(static_cast<float>(point.step));
    losses.push_back(static_cast<float>(point.loss));
  }
  lab::CurveExhibit::Series series{{"cnn.live.loss"}, tensor_of("loss", losses), {}, 0, 0};
  lab.show({"live",
            {"cnn.live.title"},
            counted,
            lab::curve_of({"cnn.live.step"}, tensor_of("step", steps), {std::move(series)},
                          steps.size())});
}

/// What a tensor of a step is for, by the names that the training gives.
std::string purpose_of(const std::string& name) {
  const auto is = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (name.starts_with("training.") || name.starts_with("held out.")) return "data";
  if (is(".backward.")) return "gradients";
  if (name.ends_with(".mean") || name.ends_with(".square")) return "optimiser";
  if (name.ends_with(".weights") || name.ends_with(".bias")) return "weights";
  return "results";
}

void show_memory(lab::Lab& lab, const training::MemoryUse& use, const device::Evidence& counted) {
  std::map<std::string, std::uint64_t> bytes;
  for (const training::Lifetime& life : use.lifetimes) bytes[purpose_of(life.name)] += life.bytes;
  const auto of_step =
      std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) {
        const auto counts = [](const auto& each) {
          return each.first == "data" || each.first == "gradients" ? 0 : each.second;
        };
        return counts(a) < counts(b);
      });
  lab::BarsExhibit bars{{"cnn.memory.says", {{"peak", lab::byte_count(use.peak_bytes)}}},
                        {{{"cnn.memory.bytes"}, {}}}};
  for (const char* purpose : {"data", "weights", "optimiser", "results", "gradients"}) {
    bars.groups.front().bars.push_back(
        bytes_bar({std::string("cnn.memory.") + purpose}, bytes[purpose]));
    bars.says.arguments.emplace_back(std::string(purpose) + "_bytes",
                                     lab::byte_count(bytes[purpose]));
  }
  bars.groups.front().bars.push_back(bytes_bar({"cnn.memory.peak"}, use.peak_bytes));
  bars.says.arguments.emplace_back("most", of_step->first);
  lab.show({"memory", {"cnn.memory.title"}, counted, std::move(bars)});
}

training::TrainingReport train(lab::Lab& lab, training::Engine& engine, training::Trainer& trainer,
                               const Setting& setting) {
  // Every kernel was checked for everything in the step before. So long a run is checked for bad accesses alone.
  engine.set_checks(device::kAccessChecks);
  const std::uint64_t before = trainer.steps_done(),
                      steps = static_cast<std::uint64_t>(setting.steps);
  training::Controls controls;
  controls.stop = lab.context().stop;
  controls.stepped = [&](std::uint64_t done) {
    lab.progress(static_cast<double>(done - before) / static_cast<double>(steps),
                 {"cnn.running", {{"step", done - before}, {"steps", steps}}});
  };
  trainer.run(before + steps, controls);
  return trainer.report();
}

// ---- What it has learned

/// Rows: what an image shows. Columns: what the network answers.
void show_confusion(lab::Lab& lab, training::Engine& engine, const training::Task& task,
                    const Samples& held_out, const device::Evidence& counted) {
  training::Tape tape(engine);
  const Answered said = answered(engine, tape, task, held_out);
  const auto hits = engine.download<std::int32_t>(said.hits)[0];
  lab.show({"held-out",
            {"cnn.held-out.title"},
            counted,
            lab::TextExhibit{
                {"cnn.held-out.sentence", {{"images", held_out.count()}, {"hits", hits}}}}});
  if (!said.probabilities) return;
  const std::vector<float> probabilities = engine.download(*said.probabilities);
  const auto labels = engine.download<std::int32_t>(*held_out.labels);
  const auto classes = static_cast<std::size_t>(held_out.classes);
  std::vector<float> counts(classes * classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = probabilities.begin() + static_cast<std::ptrdiff_t>(i * classes);
    const auto answer = std::max_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row;
    ++counts[static_cast<std::size_t>(labels[i]) * classes + static_cast<std::size_t>(answer)];
  }
  lab::TensorExhibit matrix = tensor_of("images", counts, {classes, classes});
  matrix.view = lab::TensorExhibit::View::heat;
  lab.show({"confusion", {"cnn.confusion"}, counted, std::move(matrix)});
}

}  // namespace

Setting::Setting(const lab::Lab& lab)
    : task(lab.choice("task")),
      trained(task == "shapes-trained"),
      images(lab.integer("images")),
      steps(lab.integer("steps")),
      image(std::min(lab.integer("image"), images) - 1) {
  using training::Cnn;
  if (trained) task = "shapes";
  if (task == "random-labels") network.labels = Cnn::Labels::random;
  if (by_numbers()) network.loss = Cnn::Loss::label_numbers;
  network.filters = lab.integer("filters");
  network.side = std::stoll(lab.choice("K"));
  network.average_pooling = lab.choice("pooling") == "average";
}

training::Preset Setting::preset() const {
  return training::cnn_preset(task == "shapes" ? "cnn" : "cnn-" + task, network);
}

void compile_soon(lab::Lab& lab, const Setting& setting) {
  for (const char* slot : {"forward", "backward_data", "backward_filter"})
    lab.compile_soon(lab.request_of_slot(slot));
  const std::int64_t filters = setting.network.filters, side = setting.network.side,
                     pooled_twice = training::kImageSide / 4;
  const std::string pooling = setting.network.average_pooling ? "pooling_average" : "pooling_max";
  const std::string pooling_backward = pooling + "_backward";
  const std::string loss = setting.by_numbers() ? "mean_square_error" : "cross_entropy";
  const std::string loss_backward = loss + "_backward";
  const training::Sizes product{{"m", setting.images},
                                {"n", setting.by_numbers() ? 1 : training::kShapes},
                                {"k", 2 * filters * pooled_twice * pooled_twice}};
  const training::Sizes first{{"k", filters}, {"c", 3}, {"r", side}, {"s", side}},
      second{{"k", 2 * filters}, {"c", filters}, {"r", side}, {"s", side}};
  training::compile_soon(lab, {{"random_uniform", {}},
                               {"convolution", first},
                               {"activation_relu", {}},
                               {pooling, {}},
                               {"convolution", second},
                               {"sgemm_strided", product},
                               {"broadcast_add", {}},
                               {loss, {}},
                               {loss_backward, {}},
                               {"broadcast_backward", {}},
                               {pooling_backward, {}},
                               {"activation_relu_backward", {}},
                               {"convolution_backward_bias", {}},
                               {"convolution_backward_filter", second},
                               {"convolution_backward_data", second},
                               {"convolution_backward_filter", first},
                               {"adam", {}}});
}

void restore_trained(const lab::Lab& lab, training::Trainer& trainer) {
  const auto restored = trainer.restore(lab.context().root + "/" + kRecorded + "shapes.state");
  if (!restored) throw lab::ExperimentFailed{restored.error(), {}};
}

namespace {

/// The network as it is before its first step, and its training.
struct Beginning {
  Beginning(lab::Lab& lab, const Setting& setting)
      : preset(preset_of(setting)), engine(lab), trainer(engine, preset, kSeed) {
    engine.set_budget(patient_budget());
    if (setting.trained) restore_trained(lab, trainer);
  }
  static training::Preset preset_of(const Setting& setting) {
    training::Preset preset = setting.preset();
    preset.batch = setting.images;
    preset.point_every = 1;
    return preset;
  }

  training::Preset preset;
  training::Engine engine;
  training::Trainer trainer;
};

}  // namespace

void network(lab::Lab& lab, const Setting& setting, const device::Evidence& counted) {
  Beginning beginning(lab, setting);
  training::Engine& engine = beginning.engine;
  training::Task& task = beginning.trainer.task();
  // Points of the live curve are of the batch alone.
  const Samples held_out = *std::exchange(task.held_out, std::nullopt);

  const Samples batch = some_of(task.training, 0, setting.images);
  engine.observe({.costs = true, .records = true});
  training::Tape tape(engine);
  const Answered said = answered(engine, tape, task, batch);
  tape.backward(said.loss, training::Tape::Keep::gradients);
  engine.finish();
  for (training::Variable& parameter : task.network.parameters()) parameter.zero_gradient();
  const std::optional<device::Evidence> times = times_of(engine);
  show_step(lab, engine, said, setting, counted);
  show_three(lab, engine, times);
  show_filters(lab, engine, task, counted);
  std::vector<Layers> layers;
  for (std::int64_t image = 0; image < setting.images; ++image) {
    layers.push_back(layers_of(engine, task, tape, batch, image));
    show_maps(lab, engine, tape, {image, image}, counted);
    show_answer(lab, engine, said, batch, {image, image}, counted);
  }
  tape.clear();

  if (setting.trained) show_confusion(lab, engine, task, held_out, counted);
  const training::TrainingReport report = train(lab, engine, beginning.trainer, setting);
  for (std::size_t image = 0; image < layers.size(); ++image) {
    for (Layers::Layer& layer : layers[image].layers) add_updates(layer, report.operations);
    lab.show({id_of("layers", static_cast<std::int64_t>(image)),
              {"cnn.layers"},
              times,
              std::move(layers[image])});
  }
  show_live(lab, report.curve, counted);
  show_memory(lab, report.memory, counted);
}

void glance(lab::Lab& lab, const Setting& setting, const device::Evidence& counted) {
  Beginning beginning(lab, setting);
  training::Engine& engine = beginning.engine;
  training::Task& task = beginning.trainer.task();
  engine.set_checks(device::kAccessChecks);
  const Samples alone = some_of(task.training, setting.image, setting.image + 1);
  training::Tape tape(engine);
  const Answered said = answered(engine, tape, task, alone);
  show_filters(lab, engine, task, counted);
  show_maps(lab, engine, tape, {setting.image, 0}, counted);
  show_answer(lab, engine, said, alone, {setting.image, 0}, counted);
}

void leave_image(lab::Lab& lab, std::int64_t image) {
  lab::Report all = lab.take_report();
  for (lab::Exhibit& exhibit : all.exhibits) {
    if (const std::size_t at = exhibit.id.find('@'); at != std::string::npos) {
      if (exhibit.id.substr(at + 1) != std::to_string(image)) continue;
      exhibit.id.resize(at);
    }
    lab.show(std::move(exhibit));
  }
  for (device::Error& error : all.errors) lab.report_error(std::move(error));
}

}  // namespace warpbook::lessons::cnn
