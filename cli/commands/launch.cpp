// warpbook launch FILE: runs any kernel file, and says what it did.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/compiler/kernel_templates.hpp"
#include "device/compiler/own_headers.hpp"
#include "device/device.hpp"
#include "device/kernel_name.hpp"
#include "device/platform.hpp"
#include "device/sass/sass.hpp"
#include "lab/exhibits/source/sass_text.hpp"
#include "lab/exhibits/timings/estimate_text.hpp"
#include "lab/launch/arguments.hpp"
#include "lab/markup/json.hpp"
#include "lab/render/launch_json.hpp"
#include "lab/render/render.hpp"
#include "lab/report/report.hpp"

namespace warpbook::cli {
namespace {

using device::ErrorCode;
using device::Expected;
using nlohmann::json;

constexpr std::uint64_t kMaxSourceBytes = 64u << 20;
constexpr double kDefaultTimeout = 60;
constexpr const char* kSimulatedGpu = "simulated";  // --estimate without a name
constexpr int kColumns = 120;                       // of the machine code's text
constexpr std::size_t kMaxErrors = 100;             // in the JSON; findings_total counts them all
constexpr std::size_t kMaxLines = 10;               // of findings on a terminal

struct LaunchFlags {
  std::string file, kernel, grid = "1", block = "1", cluster = "1", architecture,
                            device = "simulator", gpu, checks = "memcheck,initcheck", estimate;
  std::vector<std::string> arguments, defines, includes;
  std::uint32_t shared = 0, host_threads = 0;
  std::uint64_t seed = 0, estimate_blocks = 0;
  double timeout = kDefaultTimeout;
  bool cooperative = false, json = false, sass = false;
  LanguageFlag language;

  /// The simulated GPU; --estimate may name it, too.
  [[nodiscard]] std::string simulated() const {
    if (!estimate.empty() && estimate != kSimulatedGpu) return estimate;
    return gpu.empty() ? std::string(device::kDefaultGpu) : gpu;
  }
};

/// Where --estimate and --gpu name two GPUs: a launch is estimated for the one it runs on.
std::optional<device::Error> two_gpus(const LaunchFlags& flags) {
  if (flags.estimate.empty() || flags.estimate == kSimulatedGpu || flags.gpu.empty())
    return std::nullopt;
  const device::Properties *one = device::find_gpu(flags.estimate),
                           *other = device::find_gpu(flags.gpu);
  if (!one || !other || one == other) return std::nullopt;
  return device::failure(
             ErrorCode::bad_argument,
             {{"text", "--estimate " + flags.estimate},
              {"why", device::Message{"phrase.why.other-gpu", {{"gpu", flags.gpu}}, {}}}})
      .value();
}

/// What would otherwise be passed over in silence.
std::optional<device::Error> slip_of(const LaunchFlags& flags) {
  const auto slip = [](std::string text, device::Message why) {
    return device::Error{
        ErrorCode::bad_argument, {{"text", std::move(text)}, {"why", std::move(why)}}, {}};
  };
  if (flags.estimate_blocks != 0 && flags.estimate.empty()) {
    return slip(fmt::format("--estimate-blocks {}", flags.estimate_blocks),
                device::Message{"phrase.why.without-estimate", {}, {}});
  }
  std::error_code ignored;
  for (const std::string& folder : flags.includes) {
    if (!std::filesystem::is_directory(folder, ignored))
      return slip("-I " + folder, device::Message{"phrase.why.no-folder", {}, {}});
  }
  return std::nullopt;
}

/// With the bottleneck as a sentence where it can be told.
void add_bottleneck(json& report, const device::LaunchRecord& record) {
  if (!record.estimate) return;
  const auto english = lab::Strings::load(lab::kEnglish, device::root_folder().string());
  if (english) report["estimate"]["bottleneck"] = (**english)(lab::bottleneck_of(*record.estimate));
}

/// "256", "16,16", "8,8,4".
Expected<device::Dim3> parse_extent(std::string_view flag, std::string_view text) {
  std::array<std::uint32_t, 3> values{1, 1, 1};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, values[i]);
    if (error != std::errc{}) break;
    if (next == end) return device::Dim3{values[0], values[1], values[2]};
    if (*next != ',') break;
    at = next + 1;
  }
  return device::failure(ErrorCode::bad_argument,
                         {{"text", fmt::format("{} {}", flag, text)},
                          {"why", device::Message{"phrase.why.extent-form", {}, {}}}});
}

/// "sm_90", "compute_90" or "90" to 90; the default is the GPU's own.
Expected<int> parse_architecture(const std::string& text, const device::Properties& gpu) {
  if (text.empty()) return gpu.compute_capability;
  std::string_view digits = text;
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (digits.starts_with(prefix)) digits.remove_prefix(prefix.size());
  }
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && end == digits.data() + digits.size()) return value;
  return device::failure(ErrorCode::bad_architecture,
                         {{"name", text}, {"known", "sm_75 to sm_120"}});
}

std::vector<std::pair<std::string, std::string>> parse_defines(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> defines;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    // As compilers do: a name alone is 1.
    defines.emplace_back(text.substr(0, equals),
                         equals == std::string::npos ? "1" : text.substr(equals + 1));
  }
  return defines;
}

std::string extension_of(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

/// Text has no control characters but those that lay it out.
bool is_text(std::string_view content) {
  return std::ranges::none_of(content, [](unsigned char c) {
    return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1a;
  });
}

/// The file as a program, compiled where it is CUDA C++. `diagnostics` gets the compiler's words
/// also where it failed.
Expected<std::shared_ptr<const device::Program>> read_program(
    const LaunchFlags& flags, const device::Properties& gpu,
    std::vector<device::Diagnostic>& diagnostics) {
  const std::string extension = extension_of(flags.file);
  if (extension != ".cu" && extension != ".ptx") {
    return device::failure(
        ErrorCode::bad_argument,
        {{"text", flags.file}, {"why", device::Message{"phrase.why.launch-file", {}, {}}}});
  }
  auto content = device::read_file(flags.file, kMaxSourceBytes);
  if (!content) return tl::unexpected(content.error());
  if (!is_text(*content)) return device::failure(ErrorCode::not_text, {{"file", flags.file}});

  const std::string name = std::filesystem::path(flags.file).filename().string();
  if (extension == ".ptx") {
    auto program = std::make_shared<device::Program>();
    program->name = name;
    program->ptx = std::move(*content);
    return program;
  }
  const auto architecture = parse_architecture(flags.architecture, gpu);
  if (!architecture) return tl::unexpected(architecture.error());
  auto source = device::with_own_headers(flags.file, *content,
                                         {flags.includes.begin(), flags.includes.end()});
  if (!source) return tl::unexpected(source.error());
  device::CompileRequest request;
  request.name = name;
  request.source = std::move(*source);
  request.architecture = *architecture;
  request.cubin = true;  // its registers decide what fits on a multiprocessor
  request.defines = parse_defines(flags.defines);
  request.foreign = true;
  const std::string plain = flags.kernel.starts_with("_Z")
                                ? device::kernel_name_of(flags.kernel).name
                                : std::string(device::without_parameters(flags.kernel));
  request.kernel = device::without_template_arguments(device::without_scopes(plain));
  if (!flags.kernel.starts_with("_Z") && plain.find('<') != std::string::npos)
    request.name_expressions = {plain};
  auto program = compiler()->compile(request);
  if (!program) {
    diagnostics = program.error().diagnostics;
    return tl::unexpected(program.error().error);
  }
  diagnostics = (*program)->diagnostics;
  return *program;
}

json place_of(const device::SourcePlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

/// The record as lab/render/launch.schema.json has it, with the geometry in one place.
json launch_json(const device::LaunchRecord& record, const device::KernelInfo& kernel,
                 const std::optional<device::Occupancy>& occupancy, bool cooperative) {
  json result = lab::to_json(record);
  result["geometry"] = {{"grid", result["grid"]},
                        {"block", result["block"]},
                        {"cluster", result["cluster"]},
                        {"static_shared", record.static_shared},
                        {"dynamic_shared", record.dynamic_shared},
                        {"cooperative", cooperative}};
  if (!kernel.registers) return result;
  result["registers"] = *kernel.registers;
  if (kernel.spilled_bytes) result["spilled_bytes"] = *kernel.spilled_bytes;
  // Several opcodes have one name.
  std::map<std::string, std::uint64_t> mix;
  for (const device::KernelInfo::Machine& made : kernel.machine_mix)
    mix[made.name.empty() ? fmt::format("{:#05x}", made.opcode) : made.name] += made.count;
  result["machine_mix"] = mix;
  if (occupancy) {
    result["occupancy"] = {{"blocks", occupancy->blocks},
                           {"fraction", occupancy->fraction},
                           {"limiter", occupancy->limiter}};
  }
  return result;
}

/// What ended the launch, then all findings, at most `most` of them.
std::vector<device::Error> errors_of(const device::LaunchRecord& record, std::size_t most) {
  std::vector<device::Error> errors;
  if (record.error) errors.push_back(*record.error);
  for (const device::Finding& finding : record.findings) {
    if (errors.size() >= most) break;
    if (record.error && finding.error == *record.error) continue;
    errors.push_back(finding.error);
  }
  return errors;
}

json errors_json(const device::LaunchRecord& record) {
  json errors = json::array();
  for (const device::Error& error : errors_of(record, kMaxErrors))
    errors.push_back(lab::to_json(error));
  return errors;
}

/// A launch's errors, a line each; the exit code is that of the first.
int complain_of(const device::LaunchRecord& record, const lab::Strings& strings) {
  const std::vector<device::Error> errors = errors_of(record, kMaxLines);
  for (const device::Error& error : errors) complain(error, &strings);
  if (record.findings_total > errors.size()) {
    fmt::print(
        stderr, "warpbook: {}\n",
        strings("cli.launch.more", {{"count", lab::grouped(record.findings_total - errors.size())},
                                    {"most", std::to_string(kMaxErrors)}}));
  }
  return exit_code_of(errors.front().code);
}

void print_json(const json& value) {
  // What a kernel prints may be no UTF-8; it must not cost the rest.
  fmt::print("{}\n", value.dump(2, ' ', false, json::error_handler_t::replace));
}

/// One run of the verb, from flags to exit code.
class LaunchCommand {
 public:
  explicit LaunchCommand(const LaunchFlags& flags) : flags_(flags) {}

  int run() {
    const auto strings = flags_.language.strings();
    auto record = launch();
    json report = json::object();
    std::optional<device::Error> error;
    if (record) {
      report = launch_json(**record, *kernel_, occupancy(**record), flags_.cooperative);
      report["errors"] = errors_json(**record);
      add_bottleneck(report, **record);
      if (flags_.sass) report["sass"] = lab::to_json(read_sass(**record));
      error = (*record)->error;
    } else {
      error = record.error();
      report = {{"form", "warpbook-launch"},
                {"version", lab::kLaunchVersion},
                {"errors", json::array({lab::to_json(*error)})}};
    }
    // The files come after the record, so that a full disk costs no result.
    if (record) {
      if (auto written = bound_.write_files(*device_, error.has_value()); !written) {
        report["errors"].push_back(lab::to_json(written.error()));
        if (!error) error = written.error();
      }
    }
    if (flags_.json) {
      report["device"] = device_name();
      report["gpu"] = device_ ? device_->properties().name : flags_.simulated();
      report["diagnostics"] = diagnostics_json();
      print_json(report);
    } else if (record) {
      fmt::print("{}", (*record)->output);
      std::fflush(stdout);
      if (!error) print_summary(**record, *strings);
    }
    if (!error) return kDone;
    // What could not be written is no finding of the launch.
    return record && (*record)->error ? complain_of(**record, *strings)
                                      : complain(*error, strings.get());
  }

 private:
  /// What ran it: of "auto", what was taken.
  [[nodiscard]] std::string device_name() const {
    if (!device_) return flags_.device;
    return device_->properties().simulated ? "simulator" : "gpu";
  }

  /// The machine code of the file's kernels, with what the launch says of its own.
  const device::Sass& read_sass(const device::LaunchRecord& record) {
    sass_ = device::sass_of(*program_);
    device::add_executions(*sass_, *module_, kernel_->mangled, record);
    return *sass_;
  }

  /// The kernel's mangled name where it was asked for as an instance of a template.
  std::string name_in(const std::vector<std::pair<std::string, std::string>>& lowered) const {
    const auto found =
        std::ranges::find(lowered, flags_.kernel, &std::pair<std::string, std::string>::first);
    return found == lowered.end() ? flags_.kernel : found->second;
  }

  /// Where the kernel that is asked for is a template of which the file itself makes no instance.
  std::optional<device::Error> advice_on_templates(const device::Program& program) const {
    std::string name(device::without_scopes(flags_.kernel));
    const auto templates = device::template_kernels(program.source);
    if (name.empty() && module_->kernels().empty() && !templates.empty()) name = templates.front();
    if (std::ranges::find(templates, name) == templates.end() || module_->kernel(name))
      return std::nullopt;
    return device::failure(
               ErrorCode::bad_argument,
               {{"text", flags_.kernel.empty() ? "--kernel" : "--kernel " + flags_.kernel},
                {"why", device::Message{"phrase.why.template-arguments", {{"name", name}}, {}}}})
        .value();
  }

  Expected<std::shared_ptr<const device::LaunchRecord>> launch() {
    // LaunchFlags first, so that a slip in one costs no compile.
    const auto grid = parse_extent("--grid", flags_.grid);
    const auto block = parse_extent("--block", flags_.block);
    const auto cluster = parse_extent("--cluster", flags_.cluster);
    for (const auto* extent : {&grid, &block, &cluster}) {
      if (!*extent) return tl::unexpected(extent->error());
    }
    const auto checks = device::parse_checks(flags_.checks);
    if (!checks) return tl::unexpected(checks.error());
    std::vector<lab::LaunchArgument> arguments;
    for (const std::string& text : flags_.arguments) {
      auto argument = lab::parse_argument(text);
      if (!argument) return tl::unexpected(argument.error());
      arguments.push_back(std::move(*argument));
    }
    if (auto twice = two_gpus(flags_)) return tl::unexpected(std::move(*twice));
    if (auto slip = slip_of(flags_)) return tl::unexpected(std::move(*slip));
    auto opened = device::open_device(flags_.device, flags_.simulated());
    if (!opened) return tl::unexpected(opened.error());
    device_ = std::move(*opened);
    auto program = read_program(flags_, device_->properties(), diagnostics_);
    if (!program) return tl::unexpected(program.error());
    auto module = device_->load(*program);
    if (!module) return tl::unexpected(module.error());
    module_ = std::move(*module);
    program_ = *program;
    if (auto advice = advice_on_templates(**program)) return tl::unexpected(std::move(*advice));
    if (module_->kernels().empty()) {
      return device::failure(ErrorCode::no_kernel, {{"file", flags_.file}});
    }
    const auto kernel = module_->kernel(name_in((*program)->lowered));
    if (!kernel) return tl::unexpected(kernel.error());
    kernel_ = *kernel;
    auto bound = lab::BoundArguments::bind(*device_, *kernel_, arguments);
    if (!bound) return tl::unexpected(bound.error());
    bound_ = std::move(*bound);

    device::Launch request;
    request.module = module_;
    request.kernel = kernel_->mangled;
    request.grid = *grid;
    request.block = *block;
    request.cluster = *cluster;
    request.dynamic_shared = flags_.shared;
    request.cooperative = flags_.cooperative;
    request.arguments = bound_.values();
    request.budget.seconds = flags_.timeout;
    static_cast<device::Checks&>(request.observe) = *checks;
    request.estimate = {.wanted = !flags_.estimate.empty(), .blocks = flags_.estimate_blocks};
    request.seed = flags_.seed;
    request.host_threads = flags_.host_threads;
    return device_->launch(std::move(request)).wait();
  }

  [[nodiscard]] json diagnostics_json() const {
    json result = json::array();
    for (const device::Diagnostic& d : diagnostics_) {
      result.push_back({{"severity", device::name_of(d.severity)},
                        {"text", d.text},
                        {"place", place_of(d.place)}});
    }
    return result;
  }

  /// How many blocks fit a multiprocessor at once; nothing where no cubin tells the registers.
  [[nodiscard]] std::optional<device::Occupancy> occupancy(
      const device::LaunchRecord& record) const {
    if (!kernel_->registers) return std::nullopt;
    const auto found =
        device_->occupancy(*module_, kernel_->mangled,
                           static_cast<std::uint32_t>(record.block.count()), record.dynamic_shared);
    return found ? std::optional(*found) : std::nullopt;
  }

  /// On standard error, so that standard output is the kernel's alone.
  void print_summary(const device::LaunchRecord& record, const lab::Strings& strings) const {
    const auto print = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    for (const device::Diagnostic& d : diagnostics_) {
      print(fmt::format("{}: {}:{}: {}",
                        strings(fmt::format("cli.launch.{}", device::name_of(d.severity))),
                        d.place.file, d.place.line, d.text.substr(0, d.text.find('\n'))));
    }
    for (const device::Finding& note : record.notes)
      print(strings("cli.launch.note") + ": " + strings(note.error));
    const auto extent = [](const device::Dim3& of) {
      return fmt::format("{} x {} x {}", of.x, of.y, of.z);
    };
    const lab::MessageArguments shape{
        {"kernel", record.kernel}, {"grid", extent(record.grid)}, {"block", extent(record.block)}};
    const std::string time = lab::duration(record.seconds);
    print(strings("cli.launch.shape", shape) +
          (record.counted
               ? strings("cli.launch.simulated",
                         {{"instructions", lab::grouped(record.total.thread_instructions)},
                          {"time", time}})
               : strings("cli.launch.ran", {{"time", time}, {"device", record.time.on}})));
    if (const auto fits = occupancy(record)) {
      print(strings("cli.launch.fits",
                    {{"count", std::to_string(fits->blocks)},
                     {"registers", std::to_string(*kernel_->registers)},
                     {"spilled", std::to_string(kernel_->spilled_bytes.value_or(0))},
                     {"gpu", device_->properties().name},
                     {"part", lab::number(100 * fits->fraction, 3)},
                     {"limiter", device::Message{"phrase.limiter." + fits->limiter, {}, {}}}}));
    }
    if (record.estimate) fmt::print(stderr, "{}", lab::to_text(*record.estimate, strings));
    if (sass_) fmt::print(stderr, "{}", lab::to_text(*sass_, strings, kColumns));
  }

  const LaunchFlags& flags_;
  std::unique_ptr<device::Device> device_;
  std::vector<device::Diagnostic> diagnostics_;
  std::shared_ptr<const device::Program> program_;
  std::shared_ptr<const device::Module> module_;
  const device::KernelInfo* kernel_ = nullptr;
  std::optional<device::Sass> sass_;
  lab::BoundArguments bound_;  // after the device, whose memory it holds
};

}  // namespace

void add_launch(CommandLine& line) {
  auto flags = std::make_shared<LaunchFlags>();
  Verb verb = line.add("launch", "Run a kernel of a .cu or .ptx file");
  verb.option("file", flags->file,
              "The file: .cu (device code is compiled, host code left alone) or .ptx")
      .required();
  verb.option("--kernel", flags->kernel,
              "Its name, plain or mangled, of overloads with its parameters: 'k(int*, int)' "
              "(default: the only one)");
  verb.option("--grid", flags->grid, "Blocks: X[,Y[,Z]] (default: 1)");
  verb.option("--block", flags->block, "Threads a block: X[,Y[,Z]] (default: 1)");
  verb.option("--shared", flags->shared, "Dynamic shared memory a block, in bytes");
  verb.option(
      "--arg", flags->arguments,
      "An argument (may be repeated): i32:5 u8: .. f64: likewise, a plain number, "
      "null, zeros:COUNT, ramp:COUNT and random:COUNT (buffers of the pointer's type), "
      "bytes:FILE, in:FILE, out:BYTES[=FILE], inout:FILE[=FILE], tex2d:FORMAT:WxH:FILE[,OPTION], "
      "surf2d:FORMAT:WxH[:FILE][=FILE] (and 1d, 3d, 1dlayered, 2dlayered, cube)");
  add_checks(verb, flags->checks);
  verb.option("--seed", flags->seed, "The schedule: 0 is the canonical order");
  verb.option("--host-threads", flags->host_threads, "Host threads (default: as many as there are)")
      .between(0, 1024);
  verb.option("--define", flags->defines, "A macro: NAME=VALUE (may be repeated)");
  verb.option("-I,--include", flags->includes,
              "A folder of the file's own headers (may be repeated)");
  verb.option("--arch", flags->architecture, "Compile for it: sm_90 (default: that of the GPU)");
  verb.flag("--cooperative", flags->cooperative, "A cooperative launch: the whole grid at once");
  verb.option("--cluster", flags->cluster, "Blocks a cluster: X[,Y[,Z]]");
  verb.option(
      "--device", flags->device,
      "simulator, gpu, or auto: the GPU if there is one that passes its self-test (default: "
      "simulator)");
  verb.option("--gpu", flags->gpu, gpu_help());
  verb.option("--estimate", flags->estimate,
              "Estimate the time on the simulated GPU, or on the one named here")
      .alone(kSimulatedGpu)
      .filled();
  verb.option("--estimate-blocks", flags->estimate_blocks,
              "With --estimate: run the first so many blocks only, and scale (default: all)");
  verb.flag("--sass", flags->sass,
            "The machine code with how often each instruction ran, by nvdisasm where it is here");
  flags->language.add_to(verb);
  verb.option("--timeout", flags->timeout, "Stop after so many seconds; 0: never (default: 60)")
      .between(0, 1e9);
  verb.flag("--json", flags->json, "As JSON (lab/render/launch.schema.json)");
  verb.does([flags] { return LaunchCommand(*flags).run(); });
}

}  // namespace warpbook::cli
