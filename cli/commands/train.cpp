// warpbook train PRESET: a network learns, and the terminal shows how; it can be stopped, saved and resumed.
#include <unistd.h>

#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/commands/train_together.hpp"
#include "device/platform.hpp"
#include "lab/markup/json.hpp"
#include "lab/text/host.hpp"
#include "lab/text/toml_value.hpp"
#include "training/trainer.hpp"

namespace warpbook::cli {
namespace {

constexpr int kVersion = 1;  // of the JSON
/// Races would be looked for on one thread of this computer, and a training takes long enough; every kernel of ours was tested for them.
constexpr const char* kTrainingCheckWords = "memcheck,initcheck";

struct TrainFlags {
  std::string preset, save, resume, json, gpu{device::kDefaultGpu};
  std::string checks = kTrainingCheckWords, device = "simulator";
  std::optional<std::uint64_t> steps, seed;
  std::optional<std::uint64_t> devices, ranks;
  LanguageFlag language;
};

/// What shares a training keeps no state, and makes no report of one device.
bool shares_alone(const TrainFlags& flags) {
  return flags.save.empty() && flags.resume.empty() && flags.json.empty() &&
         flags.device == "simulator" && !(flags.devices && flags.ranks);
}

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, Ctrl+C asks for an end after the step that runs, so that what was learned can be saved.
class Interrupts {
 public:
  Interrupts() : before_(std::signal(SIGINT, [](int) { interrupted = 1; })) {}
  ~Interrupts() { std::signal(SIGINT, before_); }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  void (*before_)(int);
};

/// What is to be trained: as the flags say, or as the file that is resumed says.
struct Wanted {
  const training::Preset* preset = nullptr;
  std::uint64_t seed = 1;
};

device::Expected<Wanted> wanted(const TrainFlags& flags) {
  Wanted wanted;
  std::string name = flags.preset;
  if (flags.seed) wanted.seed = *flags.seed;
  if (!flags.resume.empty()) {
    const auto saved = training::look_into(flags.resume);
    if (!saved) return tl::unexpected(saved.error());
    if (name.empty()) name = saved->preset;
    if (!flags.seed) wanted.seed = saved->seed;
  }
  const auto preset = training::find_preset(name);
  if (!preset) return tl::unexpected(preset.error());
  wanted.preset = *preset;
  return wanted;
}

device::Expected<std::unique_ptr<lab::Lab>> lab_for(const TrainFlags& flags) {
  static const lab::Inputs no_inputs;
  const auto checks = device::parse_checks(flags.checks);
  if (!checks) return tl::unexpected(checks.error());
  auto device = device::open_device(flags.device, flags.gpu);
  if (!device) return tl::unexpected(device.error());
  lab::Lab::Context context;
  context.device = std::move(*device);
  context.compiler = compiler();
  context.inputs = &no_inputs;
  context.root = device::root_folder().string();
  context.checks = *checks;
  return std::make_unique<lab::Lab>(std::move(context));
}

device::Expected<void> write_json(const std::string& file, const training::TrainingReport& report,
                                  const device::Properties& gpu) {
  const auto english = lab::Strings::load(lab::kEnglish, device::root_folder().string());
  if (!english) return tl::unexpected(english.error());
  nlohmann::json document = lab::JsonWriter(**english)(report);
  // By themselves, so that a page can say them in its reader's language.
  document["gpu"] = gpu.name;
  document["simulated"] = gpu.simulated;
  document["form"] = "warpbook-training";
  document["when"] = lab::now_iso();
  document["version"] = kVersion;
  return device::write_file_atomically(file, document.dump(2) + "\n");
}

/// Trains until all steps are done or Ctrl+C is pressed; true: they are done.
bool run_to_end(training::Trainer& trainer, std::uint64_t steps, const lab::Strings& strings) {
  std::stop_source stop;
  training::Controls controls;
  controls.stop = stop.get_token();
  controls.ask_all = true;
  controls.stepped = [&](std::uint64_t) {
    if (interrupted) stop.request_stop();
  };
  controls.point = [&](const training::CurvePoint& point) {
    fmt::print(stderr, "{}\n", point_text(point, strings));
  };
  const Interrupts interrupts;
  return trainer.run(steps, controls);
}

int train_on(lab::Lab& lab, const Wanted& what, const TrainFlags& flags,
             const lab::Strings& strings) {
  training::Engine engine(lab);
  training::Trainer trainer(engine, *what.preset, what.seed);
  if (!flags.resume.empty()) {
    if (const auto restored = trainer.restore(flags.resume); !restored)
      return complain(restored.error(), &strings);
    fmt::print(stderr, "{}\n",
               strings("training.goes-on", {{"preset", what.preset->name},
                                            {"steps", trainer.steps_done()},
                                            {"seed", what.seed}}));
  }
  const std::uint64_t steps = flags.steps.value_or(what.preset->steps);
  if (trainer.steps_done() >= steps && steps > 0)
    fmt::print(stderr, "{}\n", strings("training.done-already", {{"steps", trainer.steps_done()}}));
  if (!run_to_end(trainer, steps, strings)) {
    fmt::print(stderr, "{}\n",
               strings("training.stopped", {{"steps", trainer.steps_done()}, {"wanted", steps}}));
  }
  if (!flags.save.empty()) {
    if (const auto saved = trainer.save(flags.save); !saved)
      return complain(saved.error(), &strings);
    fmt::print(stderr, "{}\n", strings("training.saved", {{"file", flags.save}}));
  }
  const training::TrainingReport report = trainer.report();
  if (!flags.json.empty()) {
    if (const auto written = write_json(flags.json, report, lab.context().device->properties());
        !written)
      return complain(written.error(), &strings);
  }
  fmt::print("{}", to_text(report, strings, 120, isatty(STDOUT_FILENO) != 0));
  return kDone;
}

int train(const TrainFlags& flags) {
  const auto strings = flags.language.strings();
  if (flags.preset.empty() && flags.resume.empty()) {
    const auto known = lab::listed(names_of(training::presets(), &training::Preset::name));
    fmt::print(stderr, "warpbook: {}\n", (*strings)("training.no-preset", {{"known", known}}));
    return kBadUsage;
  }
  const bool together = flags.devices || flags.ranks;
  if (together && !shares_alone(flags)) {
    fmt::print(stderr, "warpbook: {}\n", (*strings)("training.together.alone"));
    return kBadUsage;
  }
  const auto what = wanted(flags);
  if (!what) return complain(what.error(), strings.get());
  const TogetherRequest request{*what->preset, what->seed,
                                flags.steps.value_or(what->preset->steps)};
  if (flags.ranks)
    return train_by_ranks(request, *flags.ranks, flags.gpu, flags.checks, *strings,
                          flags.language.language());
  const auto lab = lab_for(flags);
  if (!lab) return complain(lab.error(), strings.get());
  try {
    if (flags.devices) return train_on_devices(**lab, request, *flags.devices, *strings);
    return train_on(**lab, *what, flags, *strings);
  } catch (const lab::ExperimentFailed& failed) {
    return complain(failed.error, strings.get());
  }
}

}  // namespace

void add_train(CommandLine& line) {
  auto flags = std::make_shared<TrainFlags>();
  Verb verb = line.add("train", "Train a small network with kernels of kernels/");
  verb.option("preset", flags->preset,
              fmt::format("What to train: {}",
                          fmt::join(names_of(training::presets(), &training::Preset::name), ", ")));
  verb.option("--steps", flags->steps, "How many steps in all (default: the preset's)");
  verb.option("--seed", flags->seed, "What weights and data are drawn by (default: 1)");
  verb.option("--gpu", flags->gpu, gpu_help());
  verb.option("--device", flags->device,
              "simulator (default), gpu, or auto: the GPU where one serves")
      .one_of({"simulator", "gpu", "auto"});
  verb.option("--devices", flags->devices,
              "So many simulated GPUs share each batch, within this process")
      .between(1, kMostMembers);
  verb.option("--ranks", flags->ranks,
              "So many processes share each batch, each with a simulated GPU; needs MPI")
      .between(1, kMostMembers);
  add_checks(verb, flags->checks);
  flags->language.add_to(verb);
  verb.option("--save", flags->save,
              "The file for the training's state, at the end or after Ctrl+C");
  verb.option("--resume", flags->resume,
              "Go on from such a file; its preset and seed need not be named");
  verb.option("--json", flags->json, "Also write curve, costs and memory as JSON to this file");
  verb.does([flags] { return train(*flags); });
}

}  // namespace warpbook::cli
