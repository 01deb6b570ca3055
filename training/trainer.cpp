#include "training/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "device/platform.hpp"
#include "device/wire/bytes.hpp"
#include "lab/report/binary.hpp"
#include "lab/text/files_read.hpp"

namespace warpbook::training {
namespace {

constexpr std::string_view kForm = "warpbook training 2\n";

struct SavedTensor {
  std::string name;
  std::vector<float> values;
};
template <class V>
void fields(V&& visit, Is<SavedTensor> auto& v) {
  visit("name", v.name);
  visit("values", v.values);
}

struct SavedState {
  std::string preset;
  std::uint64_t seed = 0, steps = 0;
  std::vector<CurvePoint> curve;
  std::vector<SavedTensor> tensors;  ///< parameters, then what the optimiser remembers
};
template <class V>
void fields(V&& visit, Is<SavedState> auto& v) {
  visit("preset", v.preset);
  visit("seed", v.seed);
  visit("steps", v.steps);
  visit("curve", v.curve);
  visit("tensors", v.tensors);
}

std::uint64_t checksum_of(std::string_view bytes) {
  return lab::checksum(std::as_bytes(std::span(bytes)));
}

tl::unexpected<device::Error> unreadable(const std::filesystem::path& file, std::string_view why) {
  return device::failure(
      device::ErrorCode::file_unreadable,
      {{"file", file.string()},
       {"why", device::Message{"phrase.training." + std::string(why), {}, {}}}});
}

/// Form, checksum, state.
device::Expected<SavedState> read_state(const std::filesystem::path& file) {
  const auto text = device::read_file(file);
  if (!text) return tl::unexpected(text.error());
  lab::FilesRead::note(file, *text);
  std::string_view rest = *text;
  if (!rest.starts_with(kForm)) return unreadable(file, "no-training");
  rest.remove_prefix(kForm.size());
  if (rest.size() < lab::kChecksumBytes) return unreadable(file, "damaged");
  const auto checksum =
      device::from_bytes<std::uint64_t>(rest.substr(0, lab::kChecksumBytes));
  rest.remove_prefix(lab::kChecksumBytes);
  if (!checksum || *checksum != checksum_of(rest)) return unreadable(file, "damaged");
  auto state = device::from_bytes<SavedState>(rest);
  if (!state) return unreadable(file, "damaged");
  return std::move(*state);
}

}  // namespace

void PauseGate::set(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  changed_.notify_all();
}

void PauseGate::pass(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [&] { return !paused_; });
}

Trainer::Trainer(Engine& engine, const Preset& preset, std::uint64_t seed)
    : engine_(engine),
      preset_(preset),
      seed_(seed),
      task_(preset.make(engine, seed)),
      parameters_(task_.network.parameters()) {
  engine_.finish();
}

std::optional<Trainer::AllAsked> Trainer::ask_all() {
  if (!task_.training.labels) return std::nullopt;
  AllAsked asked{accuracy(task_.training), std::nullopt};
  if (task_.held_out) asked.held_out = accuracy(*task_.held_out);
  return asked;
}

void Trainer::step(const Controls& controls, const std::optional<AllAsked>& asked) {
  Tape tape(engine_);
  const Samples batch = batch_of(preset_, task_.training, done_);
  const Losses result = losses_of(tape, task_.network, batch);
  tape.backward(result.loss, Tape::Keep::nothing);
  task_.optimiser->step(engine_, parameters_, done_ + 1);
  engine_.finish();
  if (done_ % preset_.point_every == 0) {
    CurvePoint point{done_, engine_.download(result.loss.value())[0], std::nullopt};
    if (asked) {
      point.accuracy = asked->training;
      point.held_out = asked->held_out;
    } else if (result.hits) {
      point.accuracy = static_cast<double>(engine_.download<std::int32_t>(*result.hits)[0]) /
                       static_cast<double>(batch.count());
    }
    curve_.push_back(point);
    if (controls.point) controls.point(point);
  }
  ++done_;
  if (controls.stepped) controls.stepped(done_);
}

bool Trainer::run(std::uint64_t steps, const Controls& controls) {
  const auto begun = std::chrono::steady_clock::now();
  bool first = true;
  while (done_ < steps && !controls.stop.stop_requested()) {
    if (controls.pause) controls.pause->pass(controls.stop);
    if (controls.stop.stop_requested()) break;
    // Before the step's costs are observed, since asking is no part of it.
    std::optional<AllAsked> asked;
    if (controls.ask_all && done_ % preset_.point_every == 0) asked = ask_all();
    engine_.observe(controls.observing ? controls.observing(done_) : Observing{.costs = first});
    step(controls, asked);
    if (!std::exchange(first, false)) continue;
    costs_ = engine_.costs();
    memory_ = engine_.memory_use();
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return done_ >= steps;
}

double Trainer::accuracy(const Samples& samples) {
  std::int64_t hits = 0;
  for (std::int64_t begin = 0; begin < samples.count(); begin += preset_.batch) {
    Tape tape(engine_);
    const std::int64_t end = std::min(begin + preset_.batch, samples.count());
    const Losses result = losses_of(tape, task_.network, rows_of(samples, begin, end));
    hits += engine_.download<std::int32_t>(*result.hits)[0];
  }
  return static_cast<double>(hits) / static_cast<double>(samples.count());
}

TrainingReport Trainer::report() {
  TrainingReport report;
  report.preset = preset_.name;
  report.device = engine_.lab().device_name();
  report.seed = seed_;
  report.steps = done_;
  report.curve = curve_;
  if (task_.held_out) {
    report.training = accuracy(task_.training);
    report.held_out = accuracy(*task_.held_out);
  }
  report.operations = costs_;
  report.memory = memory_;
  report.wall_seconds = seconds_;
  return report;
}

std::vector<std::pair<std::string, Tensor>> Trainer::saved_tensors() const {
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const Variable& parameter : parameters_)
    tensors.emplace_back(parameter.name(), parameter.value());
  const auto& remembered = task_.optimiser->memory();
  tensors.insert(tensors.end(), remembered.begin(), remembered.end());
  return tensors;
}

device::Expected<void> Trainer::save(const std::filesystem::path& file) {
  SavedState state{preset_.name, seed_, done_, curve_, {}};
  for (const auto& [name, tensor] : saved_tensors()) {
    std::vector<float> values = engine_.download(tensor);
    state.tensors.push_back({name, std::move(values)});
  }
  const std::string bytes = device::to_bytes(state);
  return device::write_file_atomically(
      file, std::string(kForm) + device::to_bytes(checksum_of(bytes)) + bytes);
}

device::Expected<void> Trainer::restore(const std::filesystem::path& file) {
  auto state = read_state(file);
  if (!state) return tl::unexpected(state.error());
  if (state->preset != preset_.name || state->seed != seed_) return unreadable(file, "other-preset");

  // Before its first step an optimiser has nothing to remember.
  if (state->steps > 0) task_.optimiser->prepare(engine_, parameters_);
  const auto tensors = saved_tensors();
  const auto fits = [](const auto& tensor, const SavedTensor& saved) {
    return tensor.first == saved.name &&
           static_cast<std::size_t>(tensor.second.count()) == saved.values.size();
  };
  if (!std::ranges::equal(tensors, state->tensors, fits)) return unreadable(file, "other-network");
  for (std::size_t i = 0; i < tensors.size(); ++i)
    engine_.copy_in(tensors[i].second, std::as_bytes(std::span(state->tensors[i].values)));
  done_ = state->steps;
  curve_ = std::move(state->curve);
  return {};
}

device::Expected<SavedTraining> look_into(const std::filesystem::path& file) {
  const auto state = read_state(file);
  if (!state) return tl::unexpected(state.error());
  return SavedTraining{state->preset, state->seed, state->steps};
}

}  // namespace warpbook::training
