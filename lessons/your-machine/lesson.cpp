// Your machine: will a program run here? A toolkit compiles, a driver runs; machine code is for GPUs of one major capability, PTX for
// newer ones.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/gpu_table.hpp"
#include "lab/exhibits/gpu/gpu_summary.hpp"
#include "lab/exhibits/stack/machine.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/text/host.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/common.hpp"
#include "lessons/your-machine/cuda_versions.hpp"
#include "lessons/your-machine/last_look.hpp"

namespace warpbook::lessons {
namespace {

constexpr const char* kKernel = "lessons/your-machine/variants/squares.cu";
constexpr std::uint32_t kSquares = 4;

std::string capability(int number) { return fmt::format("{}.{}", number / 10, number % 10); }

const device::Properties& chosen_gpu(const lab::Lab& lab) {
  return *device::find_gpu(lab.choice("gpu"));
}

lab::Message sentence(const char* key, lab::MessageArguments arguments = {}) {
  return {std::string("your-machine.") + key, std::move(arguments), {}};
}

/// What the GPU can hold and move: the real one where the run is on it, else the one that was chosen from the table.
void show_figures(lab::Lab& lab) {
  const bool simulated = lab.device().properties().simulated;
  const device::Properties& gpu = simulated ? chosen_gpu(lab) : lab.device().properties();
  std::string source =
      simulated ? std::string(device::source_of_gpu(gpu.name)) : "cuDeviceGetAttribute";
  lab.show(
      {"figures", sentence("figures.title"), std::nullopt, lab::gpu_of(gpu, std::move(source))});
}

void show_place(lab::Lab& lab, const lab::StackExhibit& stack) {
  const bool simulated = lab.device().properties().simulated;
  const char* key =
      simulated ? (stack.gpu_usable ? "place.choice" : "place.simulator") : "place.gpu";
  lab.show({"place", sentence("place.title"), std::nullopt,
            lab::TextExhibit{sentence(
                key, {{"cpu", lab::cpu_name()}, {"gpu", lab.device().properties().name}})}});
}

/// What the driver's figure means for a program of that toolkit.
Verdict show_verdict(lab::Lab& lab) {
  const std::string& driver = lab.choice("smi");
  const std::string& toolkit = lab.choice("nvcc");
  const CudaVersion made = *cuda_version(toolkit);
  const Verdict judged = verdict_of(*cuda_version(driver), made);
  const std::string verdict(name_of(judged));
  lab.show({"verdict", sentence("verdict.title"), std::nullopt,
            lab::TextExhibit{{"your-machine.verdict." + verdict,
                              {{"driver", driver},
                               {"toolkit", toolkit},
                               {"verdict", verdict},
                               {"major", std::to_string(made.major)},
                               {"oldest", std::to_string(minimum_driver(made.major).value_or(0))}},
                              {}}}});
  return judged;
}

/// GPUs of several major capabilities, of which readers may have one: their names in the table, and in the text.
constexpr std::array<std::pair<const char*, const char*>, 5> kFewGpus{{{"T4", "T4"},
                                                                       {"A100 40GB", "A100"},
                                                                       {"RTX 4090", "RTX 4090"},
                                                                       {"H200", "H200"},
                                                                       {"RTX 5090", "RTX 5090"}}};

/// "machine-code", "ptx", "unknown-ptx", "none", or "refused" where the driver refuses the whole program.
std::string word_for(Form form, Verdict verdict) {
  if (verdict == Verdict::refused) return "refused";
  switch (form) {
    case Form::machine_code: return "machine-code";
    case Form::ptx: return "ptx";
    case Form::unknown_ptx: return "unknown-ptx";
    case Form::none: return "none";
  }
  __builtin_unreachable();
}

/// In what form a few GPUs run a program that carries the chosen targets. For each of them an argument with its word.
void show_targets(lab::Lab& lab, Verdict verdict) {
  const std::string& carried = lab.choice("targets");
  std::vector<lab::Message> lines;
  lab::MessageArguments said{{"targets", carried}};
  for (const auto& [name, short_name] : kFewGpus) {
    const int number = device::find_gpu(name)->compute_capability;
    const Chosen chosen = chosen_form(number, carried, verdict == Verdict::runs);
    const std::string word = word_for(chosen.form, verdict);
    lines.push_back(sentence(("targets." + word).c_str(), {{"gpu", std::string(short_name)},
                                                           {"capability", capability(number)},
                                                           {"target", chosen.target}}));
    said.emplace_back(short_name, word);
  }
  said.emplace_back("lines", lab::Message::list_of("list.lines", std::move(lines)));
  lab.show({"targets", sentence("targets.title"), std::nullopt,
            lab::TextExhibit{sentence("targets.text", std::move(said))}});
}

/// The first lines of PTX that are no comment: which language version, and for which architecture.
std::string head_of(const std::string& ptx) {
  std::string head;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
    const std::string line = ptx.substr(at, end - at);
    if (line.starts_with(".version") || line.starts_with(".target") ||
        line.starts_with(".address_size")) {
      head += line + "\n";
    }
    at = end + 1;
  }
  return head;
}

std::string word_behind(const std::string& text, const std::string& directive) {
  const std::size_t at = text.find(directive + " ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + directive.size() + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::shared_ptr<const device::Program> compile(lab::Lab& lab) {
  device::CompileRequest request;
  request.name = "squares.cu";
  request.source = lab::require(lab::read_source_file(lab.context().root, kKernel));
  request.architecture = std::stoi(lab.choice("arch"));
  auto program = lab.context().compiler->compile(request, lab.context().stop);
  if (!program) throw lab::ExperimentFailed{program.error().error, program.error().diagnostics};
  return *program;
}

/// What one GPU makes of the program: "0 1 4 9", or the error of loading it.
device::Expected<std::string> run_on(lab::Lab& lab, const device::Properties& gpu,
                                     const std::shared_ptr<const device::Program>& program) {
  const auto simulated = device::make_simulated_device(gpu);
  auto module = simulated->load(program);
  if (!module) return tl::unexpected(module.error());
  const device::Pointer out =
      lab::require(simulated->allocate("out", device::ElementType::i32, kSquares));
  device::Launch launch;
  launch.module = *module;
  launch.grid = {1, 1, 1};
  launch.block = {kSquares, 1, 1};
  launch.arguments = {device::Argument::pointer(out)};
  launch.stop = lab.context().stop;
  launch.budget = lab.context().budget;
  const auto record = simulated->launch(std::move(launch)).wait();
  if (!record) return tl::unexpected(record.error());
  if ((*record)->error) return tl::unexpected(*(*record)->error);
  std::vector<std::int32_t> values(kSquares);
  lab::require(simulated->copy_out(std::as_writable_bytes(std::span(values)), out).wait());
  return fmt::format("{}", fmt::join(values, " "));
}

/// One PTX for every GPU of the table.
void load_everywhere(lab::Lab& lab) {
  const std::string& arch = lab.choice("arch");
  const device::Properties& chosen = chosen_gpu(lab);
  const device::Evidence counted{
      device::EvidenceKind::counted, {"phrase.device.simulated", {{"gpu", chosen.name}}, {}}, {}};
  lab.progress(0.75, sentence("compiling", {{"arch", arch}}));
  const auto program = compile(lab);
  lab.show({"ptx", sentence("ptx.title"), std::nullopt,
            lab::TextExhibit{
                sentence("ptx.head", {{"head", head_of(program->ptx)}, {"nvrtc", program->nvrtc}}),
                true}});

  const auto mine = run_on(lab, chosen, program);
  const lab::MessageArguments place{
      {"arch", arch}, {"gpu", chosen.name}, {"capability", capability(chosen.compute_capability)}};
  auto told = place;
  if (mine) {
    told.emplace_back("values", *mine);
  } else {
    told.emplace_back("code", std::string(device::name_of(mine.error().code)));
  }
  lab.show({"outcome", sentence("outcome.title"), counted,
            lab::TextExhibit{sentence(mine ? "outcome.ran" : "outcome.refused", std::move(told))}});

  lab::CheckExhibit everywhere;
  for (const device::Properties& gpu : device::gpu_table()) {
    lab.progress(0.8 + 0.2 * static_cast<double>(everywhere.items.size()) /
                           static_cast<double>(device::gpu_table().size()),
                 sentence("loading", {{"gpu", gpu.name}}));
    const auto got = run_on(lab, gpu, program);
    if (!got && got.error().code != device::ErrorCode::no_kernel_image)
      throw lab::ExperimentFailed{got.error(), {}};
    lab::CheckExhibit::Item item;
    item.id = gpu.name;
    item.state = got ? lab::CheckExhibit::State::passed : lab::CheckExhibit::State::failed;
    item.sentence = sentence(
        "loads.gpu", {{"gpu", gpu.name}, {"capability", capability(gpu.compute_capability)}});
    item.got = got ? lab::Message::plain(*got) : sentence("loads.refused");
    everywhere.items.push_back(std::move(item));
  }
  lab.show({"loads", sentence("loads.title", {{"arch", arch}}), counted, std::move(everywhere)});
}

void your_machine_experiment(lab::Lab& lab, LastLook& last) {
  const lab::StackExhibit stack = lab::stack_of(last.get(lab));
  lab.show({"stack", sentence("stack"), std::nullopt, stack});
  show_place(lab, stack);
  show_figures(lab);
  show_targets(lab, show_verdict(lab));
  load_everywhere(lab);
}

// Figures and answers are read off the report.

auto reads(const char* exhibit, const char* name) {
  return [=](const lab::Report& report) { return text_argument(report, exhibit, name); };
}

/// A figure of the GPU that is drawn.
auto of_gpu(std::uint64_t (*figure)(const lab::GpuExhibit&)) {
  return [=](const lab::Report& report) -> std::string {
    const auto* gpu = report.find_as<lab::GpuExhibit>("figures");
    return gpu ? lab::grouped(figure(*gpu)) : "";
  };
}

/// What the stack found of a part; "-" where it is not here.
auto finds(const char* id) {
  return [=](const lab::Report& report) -> std::string {
    const auto* stack = report.find_as<lab::StackExhibit>("stack");
    if (!stack) return {};
    const auto part = std::ranges::find(stack->parts, id, &lab::StackExhibit::Part::id);
    return part == stack->parts.end() || part->found.empty() ? "-" : part->found.front();
  };
}

std::string outcome(const lab::Report& report) {
  if (const std::string values = text_argument(report, "outcome", "values"); !values.empty())
    return values;
  const std::string code = text_argument(report, "outcome", "code");
  return code.empty() ? "" : "refused";
}

std::string gpus_that_ran(const lab::Report& report) {
  const auto* loads = report.find_as<lab::CheckExhibit>("loads");
  if (!loads) return {};
  return std::to_string(std::ranges::count(loads->items, lab::CheckExhibit::State::passed,
                                           &lab::CheckExhibit::Item::state));
}

/// Which of three GPUs of three generations ran it: "A100 H200".
std::string ran_of_three(const lab::Report& report) {
  const auto* loads = report.find_as<lab::CheckExhibit>("loads");
  if (!loads) return {};
  std::string ran;
  for (const auto& [gpu, short_name] :
       {std::pair{"T4", "T4"}, {"A100 40GB", "A100"}, {"H200", "H200"}}) {
    const auto item = std::ranges::find(loads->items, gpu, &lab::CheckExhibit::Item::id);
    if (item == loads->items.end() || item->state != lab::CheckExhibit::State::passed) continue;
    ran += (ran.empty() ? "" : " ") + std::string(short_name);
  }
  return ran.empty() ? "none" : ran;
}

/// What the exhibit "targets" says of an RTX 4090 and an RTX 5090: "machine-code ptx".
std::string forms_of_two(const lab::Report& report) {
  return text_argument(report, "targets", "RTX 4090") + " " +
         text_argument(report, "targets", "RTX 5090");
}

/// Which of an A100 and an H200 run the program, by the exhibit "targets": "A100 H200".
std::string run_of_two(const lab::Report& report) {
  std::string ran;
  for (const char* gpu : {"A100", "H200"}) {
    const std::string word = text_argument(report, "targets", gpu);
    if (word == "machine-code" || word == "ptx") ran += (ran.empty() ? "" : " ") + std::string(gpu);
  }
  return ran.empty() ? "none" : ran;
}

}  // namespace

lab::Lesson your_machine() {
  lab::Lesson lesson;
  lesson.slug = "your-machine";
  const std::string words = "your-machine.parameter.", presets = "your-machine.preset.";
  std::vector<std::string> gpus;
  for (const device::Properties& gpu : device::gpu_table()) gpus.push_back(gpu.name);
  lesson.parameters = {
      choice(words, "gpu", gpus, device::find_gpu(device::kDefaultGpu)->name),
      choice(words, "arch", {"75", "80", "86", "89", "90", "100", "120"}, "80"),
      choice(words, "targets",
             {"sm_75 compute_75", "sm_80", "sm_80 compute_80", "sm_80 sm_90 compute_90"},
             "sm_80 sm_90 compute_90"),
      choice(words, "smi", {"11.8", "12.2", "12.8", "13.0", "13.1"}, "13.1"),
      choice(words, "nvcc", {"11.8", "12.4", "12.8", "13.0", "13.1"}, "12.8")};
  lesson.presets = {preset(presets, "usual", {}),
                    preset(presets, "older-ptx", {{"arch", "75"}, {"gpu", "H200"}}),
                    preset(presets, "newer-ptx", {{"arch", "90"}, {"gpu", "A100 40GB"}}),
                    preset(presets, "same-release", {{"smi", "12.2"}, {"nvcc", "12.8"}}),
                    preset(presets, "older-release", {{"smi", "12.8"}, {"nvcc", "13.0"}})};
  lesson.experiment = [last = std::make_shared<LastLook>()](lab::Lab& lab) {
    your_machine_experiment(lab, *last);
  };
  lesson.figures = {{"nvrtc", finds("nvrtc")},
                    {"driver", finds("driver")},
                    {"compiler", reads("verdict", "toolkit")},
                    {"limit", reads("verdict", "driver")},
                    {"oldest", reads("verdict", "oldest")},
                    {"multiprocessors", of_gpu([](const lab::GpuExhibit& gpu) -> std::uint64_t {
                       return gpu.multiprocessors;
                     })},
                    {"resident", of_gpu(lab::resident_threads)},
                    {"target",
                     [](const lab::Report& report) {
                       return word_behind(text_argument(report, "ptx", "head"), ".target");
                     }},
                    {"outcome", outcome},
                    {"ran", gpus_that_ran},
                    {"gpus", [](const lab::Report& report) {
                       const auto* loads = report.find_as<lab::CheckExhibit>("loads");
                       return loads ? std::to_string(loads->items.size()) : std::string();
                     }}};
  lesson.answers = {{"compiler", reads("verdict", "toolkit")},
                    {"verdict", reads("verdict", "verdict")},
                    {"forms-of-two", forms_of_two},
                    {"run-of-two", run_of_two},
                    {"of-three", ran_of_three}};
  return lesson;
}

}  // namespace warpbook::lessons
