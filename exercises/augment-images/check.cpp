// augment-images: two kernels that draw a move for each image and move it, and a training of the chapter's network on what they make.
#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "training/trainer.hpp"

namespace warpbook::exercises {
namespace augment_images_check {

constexpr std::uint32_t kBlock = 256;

struct Batch {
  std::int64_t images, channels, side;
  [[nodiscard]] std::int64_t pixels() const { return images * channels * side * side; }
};

device::Argument number(std::int64_t value) {
  return device::Argument::of(static_cast<std::int32_t>(value));
}

/// A thread for each of `items`.
device::Dim3 grid_for(std::int64_t items) {
  return {static_cast<std::uint32_t>((items + kBlock - 1) / kBlock), 1, 1};
}

std::string name_of(const Batch& batch) {
  const std::string side = std::to_string(batch.side);
  return std::to_string(batch.images) + " images of " + std::to_string(batch.channels) + " x " +
         side + " x " + side;
}

// ---- The kernels alone

/// Images moved by given moves of up to `farthest` pixels, which may push an image out of its frame.
lab::Trial given_moves(const Batch& batch, std::int64_t farthest, std::uint64_t seed) {
  const auto& [images, channels, side] = batch;
  const std::vector<float> x = lab::odd_halves(static_cast<std::size_t>(batch.pixels()), seed);
  std::mt19937_64 random(seed + 1);
  std::vector<std::int32_t> moves;
  for (std::int64_t i = 0; i < 2 * images; ++i) {
    const auto places = static_cast<std::uint64_t>(2 * farthest + 1);
    moves.push_back(static_cast<std::int32_t>(random() % places) -
                    static_cast<std::int32_t>(farthest));
  }
  std::vector<double> moved;
  for (std::int64_t i = 0; i < batch.pixels(); ++i) {
    const std::int64_t plane = i / (side * side), row = i / side % side, column = i % side;
    const std::int32_t* move = &moves[static_cast<std::size_t>(2 * (plane / channels))];
    const std::int64_t from_row = std::clamp<std::int64_t>(row - move[0], 0, side - 1),
                       from_column = std::clamp<std::int64_t>(column - move[1], 0, side - 1);
    moved.push_back(static_cast<double>(
        x[static_cast<std::size_t>((plane * side + from_row) * side + from_column)]));
  }
  lab::Trial made;
  made.name = name_of(batch) + ", moved by up to " + std::to_string(farthest);
  made.kernel = "move_images";
  made.grid = grid_for(batch.pixels());
  made.block = {kBlock, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("moves", moves),
                 lab::output_array<float>("moved", std::move(moved))};
  made.arguments = {"x", "moves", "moved", number(images), number(channels), number(side)};
  return made;
}

/// The moves that the submission draws, which are as they are, and the images moved by them: here, only what is not allowed shows.
lab::Trial own_moves(const Batch& batch, std::int64_t step, std::uint64_t seed) {
  const auto& [images, channels, side] = batch;
  lab::Trial made;
  made.name = name_of(batch) + ", moves of step " + std::to_string(step);
  made.kernel = "draw_moves";
  made.grid = grid_for(images);
  made.block = {kBlock, 1, 1};
  made.arrays = {
      lab::input_array("x", lab::odd_halves(static_cast<std::size_t>(batch.pixels()), seed)),
      lab::workspace_array<std::int32_t>("moves", static_cast<std::uint64_t>(2 * images)),
      lab::workspace_array<float>("moved", static_cast<std::uint64_t>(batch.pixels()))};
  made.arguments = {"moves", number(images), number(step)};
  lab::NextLaunch move{"move_images",
                       {"x", "moves", "moved", number(images), number(channels), number(side)}};
  move.grid = grid_for(batch.pixels());
  made.next = {std::move(move)};
  return made;
}

// ---- A training on what they make

/// Further steps of the chapter's network after its hundred epochs. They see each training image four times.
constexpr std::uint64_t kSteps = 60, kSeed = 1;
constexpr std::int64_t kImages = 20;
constexpr const char* kTrained = "lessons/cnn/recorded/shapes.state";

struct Learned {
  double before = 0, after = 0;     ///< shares of right answers about the held-out images
  std::vector<std::int32_t> moves;  ///< of the last step
};

/// Has the submission draw moves for `step` and move the images of `x` by them.
training::Tensor moved_by(const lab::Checker& checker, training::Engine& engine,
                          const training::Tensor& x, const training::Tensor& moves,
                          std::uint64_t step) {
  const Batch batch{x.shape[0], x.shape[1], x.shape[2]};
  training::Tensor moved = engine.empty("moved", x.shape);
  const auto launch = [&](const std::string& kernel, std::int64_t threads,
                          std::vector<device::Argument> arguments) {
    device::Launch made;
    made.module = checker.submission;
    made.kernel = kernel;
    made.grid = grid_for(threads);
    made.block = {kBlock, 1, 1};
    made.arguments = std::move(arguments);
    engine.launch(kernel, "augment-images.cu", std::move(made));
  };
  const auto pointer = [](const training::Tensor& tensor) {
    return device::Argument::pointer(tensor.address());
  };
  launch("draw_moves", batch.images,
         {pointer(moves), number(batch.images), number(static_cast<std::int64_t>(step))});
  launch("move_images", batch.pixels(),
         {pointer(x), pointer(moves), pointer(moved), number(batch.images), number(batch.channels),
          number(batch.side)});
  return moved;
}

Learned learned_from(lab::Checker& checker) {
  training::Preset preset = training::cnn_preset("cnn", {});
  training::Engine engine(checker.lab);
  // What the submission's kernels may do wrong, the cases have shown.
  engine.set_checks({.memcheck = true, .initcheck = false});
  training::Trainer trainer(engine, preset, kSeed);
  const auto restored = trainer.restore(checker.lab.context().root + "/" + kTrained);
  if (!restored) throw lab::ExperimentFailed{restored.error(), {}};
  training::Task& task = trainer.task();
  Learned learned;
  learned.before = trainer.accuracy(*task.held_out);

  std::vector<training::Variable> parameters = task.network.parameters();
  const std::uint64_t done = trainer.steps_done();
  preset.batch = kImages;
  const training::Tensor moves = engine.empty("moves", {kImages, 2}, device::ElementType::i32);
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    training::Samples batch = training::batch_of(preset, task.training, step);
    batch.x = moved_by(checker, engine, batch.x, moves, step);
    training::Tape tape(engine);
    tape.backward(training::losses_of(tape, task.network, batch).loss,
                  training::Tape::Keep::nothing);
    task.optimiser->step(engine, parameters, done + step + 1);
    engine.finish();
  }
  learned.after = trainer.accuracy(*task.held_out);
  learned.moves = engine.download<std::int32_t>(moves);
  return learned;
}

/// How the moves look from which a network has not learned enough.
lab::Message advice_on(const std::vector<std::int32_t>& moves) {
  std::set<std::pair<std::int32_t, std::int32_t>> different;
  for (std::size_t i = 0; i < moves.size(); i += 2) different.insert({moves[i], moves[i + 1]});
  std::int32_t up = 0, down = 0, left = 0, right = 0;
  for (const auto& [rows, columns] : different) {
    up = std::min(up, rows);
    down = std::max(down, rows);
    left = std::min(left, columns);
    right = std::max(right, columns);
  }
  return {"augment-images.learns-advice",
          {{"images", kImages},
           {"different", different.size()},
           {"up", -static_cast<std::int64_t>(up)},
           {"down", down},
           {"left", -static_cast<std::int64_t>(left)},
           {"right", right}}};
}

/// The training takes longer than all cases together, so it waits until everything else has passed.
void add_learns(lab::Checker& checker, const std::string& id) {
  const auto gate = std::ranges::find(checker.text.gates, id, &lab::Gate::id);
  const double floor = gate->floor.value();
  lab::CheckExhibit::Item item;
  item.id = id;
  item.sentence = {"augment-images.learns", {{"steps", kSteps}, {"floor", lab::number(floor)}}};
  if (checker.result.passed()) {
    const Learned learned = learned_from(checker);
    const double per_cent = 100 * learned.after;
    item.got = {"augment-images.learned",
                {{"after", lab::number(per_cent)}, {"before", lab::number(100 * learned.before)}}};
    const bool enough = per_cent >= floor;
    item.state = enough ? lab::CheckExhibit::State::passed : lab::CheckExhibit::State::failed;
    if (!enough) item.advice = advice_on(learned.moves);
  }
  checker.result.items.push_back(std::move(item));
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  // One pixel, images that stay where they are, moves within an image and out of it, other numbers of channels and of pixels.
  trials.run(given_moves({1, 1, 1}, 2, seed));
  trials.run(given_moves({3, 2, 9}, 0, seed + 2));
  seed += 4;
  for (const auto& [batch, farthest] : std::vector<std::pair<Batch, std::int64_t>>{
           {{2, 1, 3}, 2}, {{1, 3, 31}, 5}, {{3, 2, 32}, 9}, {{2, 4, 33}, 40}, {{40, 1, 7}, 3}}) {
    trials.run(given_moves(batch, farthest, seed));
    seed += 2;
  }
  // Moves that do not fit into a byte.
  trials.run(given_moves({2, 1, 190}, 250, seed));
  // The submission's own moves, for fewer images than a block has threads, and for more.
  for (const auto& [batch, step] : std::vector<std::pair<Batch, std::int64_t>>{
           {{1, 1, 8}, 0}, {{20, 3, 32}, 7}, {{300, 1, 5}, 1000}})
    trials.run(own_moves(batch, step, seed++));
  // More pixels than 16 bits count.
  trials.run(lab::with_gates(given_moves({40, 3, 32}, 6, seed)));
  for (int i = 0; i < 2; ++i) {
    const Batch batch{checker.drawn(40, 60), checker.drawn(2, 4), checker.drawn(24, 36)};
    trials.run(lab::hidden_with_gates(given_moves(batch, checker.drawn(3, 12), checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "moved");
  trials.add_sectors("sectors");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
  add_learns(checker, "learns");
}

}  // namespace augment_images_check

lab::Exercise augment_images() { return {"augment-images", augment_images_check::check}; }

}  // namespace warpbook::exercises
