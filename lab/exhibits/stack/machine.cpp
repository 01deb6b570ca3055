#include "lab/exhibits/stack/machine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <future>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "device/compiler/toolkit.hpp"
#include "device/device.hpp"
#include "device/platform.hpp"
#include "device/sass/disassembler.hpp"
#include "lab/text/host.hpp"

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;
namespace libraries = device::libraries;
using device::Error;
using device::Expected;
using libraries::DriverFacts;
using libraries::Identity;
using libraries::Kind;

constexpr const char* kSetUp = "./warpbook";

// A line without its end.
std::string line_of(const fs::path& file) {
  std::string text = device::read_file(file, 4096).value_or("");
  return text.substr(0, text.find('\n'));
}

// A display controller of NVIDIA's on the bus, driver or not (PCI: vendor 10de, class 03).
bool has_nvidia_hardware() {
  std::error_code ignored;
  for (const auto& device : fs::directory_iterator("/sys/bus/pci/devices", ignored)) {
    if (line_of(device.path() / "vendor") == "0x10de" &&
        line_of(device.path() / "class").starts_with("0x03")) {
      return true;
    }
  }
  return false;
}

// WSL 2 shows Windows' GPU by this file. Its driver is Windows' own: none is installed inside.
bool has_windows_gpu() {
  std::error_code ignored;
  return fs::exists("/dev/dxg", ignored);
}

std::string cuda_text(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

void look_at_driver(const Expected<DriverFacts>& facts, Machine& machine) {
  const bool windows = has_windows_gpu();
  const std::string remedy =
      !windows && has_nvidia_hardware()
          ? fmt::format("sudo apt-get install cuda-drivers-{}", device::gpu::kDriverNeeded)
          : "";
  MachinePart gpu{"gpu", {}, {}, {}, {}, {}}, driver{"driver", {}, {}, {}, {}, {}};
  const std::optional<Error> error = facts ? facts->error : std::optional(facts.error());
  if (facts) {
    gpu.found = facts->gpus;
    if (!facts->file.empty()) {
      const std::string version = line_of("/sys/module/nvidia/version");
      driver.found = {
          fmt::format("{}CUDA {}", version.empty() ? "" : version + ", ", cuda_text(facts->cuda)),
          facts->file};
    }
  }
  if (gpu.found.empty()) {
    gpu.missing = remedy.empty() ? "no-gpu" : "unused-gpu";
    if (windows) gpu.missing = "windows-gpu";
  }
  if (error) {
    driver.error = error;
    driver.remedy = remedy;
  }
  machine.parts.push_back(std::move(gpu));
  machine.parts.push_back(std::move(driver));
}

void look_at_compiler(const device::Compiler::Status& status, Machine& machine) {
  MachinePart toolkit{"toolkit", {}, {}, {}, {}, {}}, nvrtc{"nvrtc", {}, {}, {}, {}, {}};
  if (status.available) {
    toolkit.found = {status.headers};
    nvrtc.found = {status.version, status.library};
  } else {
    toolkit.missing = "no-toolkit";
    toolkit.remedy = nvrtc.remedy = kSetUp;
    nvrtc.error = status.error;
  }
  machine.parts.push_back(std::move(toolkit));
  machine.parts.push_back(std::move(nvrtc));
}

void look_at_library(Kind kind, const char* part, const Expected<Identity>& identity,
                     Machine& machine) {
  MachinePart library{part, {}, {}, {}, {}, {}};
  if (identity) {
    library.found = {identity->version, identity->file};
    if (!identity->cuda.empty() && kind == Kind::cudnn)
      library.found.push_back("CUDA " + identity->cuda);
  } else {
    library.error = identity.error();
    library.remedy = libraries::command_for(kind);
  }
  machine.parts.push_back(std::move(library));
}

// Nothing needs it: SASS is shown by its opcodes alone where it is not here.
void look_at_disassembler(const Expected<Disassembler>& disassembler, Machine& machine) {
  MachinePart part{"disassembler", {}, {}, {}, {}, {}};
  if (disassembler) {
    part.found = {disassembler->version, disassembler->file};
  } else {
    part.remedy = device::kDisassemblerCommand;
    if (disassembler.error().code == device::ErrorCode::library_missing) {
      part.missing = "no-disassembler";
    } else {
      part.error = disassembler.error();
    }
  }
  machine.parts.push_back(std::move(part));
}

Expected<Disassembler> ask_disassembler() {
  const auto file = device::find_disassembler();
  if (!file) return tl::unexpected(file.error());
  auto version = device::version_of_disassembler(*file, {.seconds = 5});
  if (!version) return tl::unexpected(version.error());
  return Disassembler{std::move(*version), file->string()};
}

std::string major_of(const std::string& version) { return version.substr(0, version.find('.')); }

void look_at_fits(const device::Compiler::Status& compiler, const Expected<DriverFacts>& driver,
                  const Expected<Identity>& cudnn, const Expected<Identity>& cublas,
                  Machine& machine) {
  const std::string ours = std::to_string(device::kCudaMajor);
  const std::string toolkit = compiler.available ? compiler.version : "";
  if (driver && driver->cuda > 0 && !toolkit.empty()) {
    machine.fits.push_back({"driver-toolkit",
                            driver->cuda >= device::gpu::kCudaVersion,
                            {{"driver", cuda_text(driver->cuda)}, {"toolkit", toolkit}}});
  }
  if (cudnn) {
    machine.fits.push_back({"cudnn-cuda",
                            major_of(cudnn->cuda) == ours,
                            {{"version", cudnn->version}, {"cuda", cudnn->cuda}, {"ours", ours}}});
  }
  if (cublas && !toolkit.empty()) {
    machine.fits.push_back({"cublas-toolkit",
                            major_of(cublas->version) == major_of(toolkit),
                            {{"version", cublas->version}, {"toolkit", toolkit}}});
  }
}

/// Kernels run on a GPU here: there is one, and its driver takes what the compiler makes.
bool gpu_is_usable(const Machine& machine) {
  const auto usable = [&](std::string_view part) {
    return std::ranges::any_of(machine.parts, [&](const MachinePart& p) {
      return p.part == part && !p.found.empty() && !p.error;
    });
  };
  return usable("gpu") && usable("driver");
}

struct Place {
  std::string_view part;
  StackExhibit::Side side;
};
// What stands on what, the highest first.
constexpr Place kPlaces[] = {
    {"nvrtc", StackExhibit::Side::compile}, {"toolkit", StackExhibit::Side::compile},
    {"cudnn", StackExhibit::Side::gpu},     {"cublas", StackExhibit::Side::gpu},
    {"driver", StackExhibit::Side::gpu},    {"gpu", StackExhibit::Side::gpu},
    {"onednn", StackExhibit::Side::cpu},    {"simulator", StackExhibit::Side::cpu},
    {"cpu", StackExhibit::Side::cpu}};

/// Which part is at fault where a pair does not fit, and what it is held against.
std::pair<std::string_view, std::string_view> parts_of(const MachineFit& fit) {
  if (fit.name == "driver-toolkit") return {"driver", "nvrtc"};
  if (fit.name == "cudnn-cuda") return {"cudnn", "toolkit"};
  return {"cublas", "nvrtc"};
}

/// The machine that there is on every machine: its processor, and the simulator on it.
std::vector<MachinePart> own_parts() {
  int newest = 0;
  for (const device::Properties& gpu : device::gpu_table())
    newest = std::max(newest, gpu.compute_capability);
  return {{"simulator", {fmt::format("PTX ≤ sm_{}", newest)}, {}, {}, {}, {}},
          {"cpu",
           {cpu_name(), fmt::format("× {}", std::max(1u, std::thread::hardware_concurrency()))},
           {},
           {},
           {},
           {}}};
}

}  // namespace

Machine machine_of(const device::Compiler::Status& compiler, const MachineAnswers& answers) {
  Machine machine;
  machine.when = now_iso();
  look_at_driver(answers.driver, machine);
  look_at_compiler(compiler, machine);
  if (answers.disassembler) look_at_disassembler(*answers.disassembler, machine);
  look_at_library(Kind::cudnn, "cudnn", answers.cudnn, machine);
  look_at_library(Kind::cublas, "cublas", answers.cublas, machine);
  look_at_library(Kind::onednn, "onednn", answers.onednn, machine);
  look_at_fits(compiler, answers.driver, answers.cudnn, answers.cublas, machine);
  return machine;
}

Expected<Machine> look_at_machine(const device::Compiler::Status& compiler,
                                  const std::stop_token& stop, const LookProgress& progress) {
  using namespace std::chrono_literals;
  libraries::Client cudnn(Kind::cudnn), cublas(Kind::cublas), onednn(Kind::onednn);
  const auto ask = [](libraries::Client& client) {
    return std::async(std::launch::async, [&client] { return client.identity(); });
  };
  auto driver = std::async(std::launch::async, [&] { return libraries::ask_driver(stop); });
  auto disassembler = std::async(std::launch::async, ask_disassembler);
  std::array asked{ask(cudnn), ask(cublas), ask(onednn)};
  const std::array<libraries::Client*, 3> clients{&cudnn, &cublas, &onednn};
  constexpr std::array<std::string_view, 4> kNames{"cudnn", "cublas", "onednn", "driver"};
  std::array<bool, 4> heard{};
  while (std::ranges::count(heard, true) < std::ssize(heard)) {
    for (std::size_t i = 0; i < heard.size(); ++i) {
      if (heard[i]) continue;
      heard[i] = (i < asked.size() ? asked[i].wait_for(5ms) : driver.wait_for(5ms)) ==
                 std::future_status::ready;
      if (heard[i] && progress && !stop.stop_requested()) {
        progress(static_cast<double>(std::ranges::count(heard, true)) /
                     static_cast<double>(heard.size()),
                 kNames[i]);
      }
      // Each time anew: a client that was about to start its worker has one now.
      if (!heard[i] && i < clients.size() && stop.stop_requested()) clients[i]->cancel();
    }
  }
  if (stop.stop_requested()) return device::failure(device::ErrorCode::cancelled, {});
  return machine_of(
      compiler, {driver.get(), asked[0].get(), asked[1].get(), asked[2].get(), disassembler.get()});
}

StackExhibit stack_of(const Machine& machine) {
  StackExhibit stack;
  stack.when = machine.when;
  stack.gpu_usable = gpu_is_usable(machine);
  for (const MachineFit& fit : machine.fits) {
    const auto [part, with] = parts_of(fit);
    stack.fits.push_back(
        {std::string(part),
         std::string(with),
         fit.fits,
         {(fit.fits ? "machine.fit." : "machine.misfit.") + fit.name, fit.arguments, {}}});
    if (!fit.fits && part == "driver") stack.gpu_usable = false;
  }
  std::vector<MachinePart> all = machine.parts;
  std::ranges::move(own_parts(), std::back_inserter(all));
  for (const Place& place : kPlaces) {
    const auto part = std::ranges::find(all, place.part, &MachinePart::part);
    if (part == all.end()) continue;
    const bool misfit = std::ranges::any_of(stack.fits, [&](const StackExhibit::Fit& fit) {
      return fit.part == place.part && !fit.fits;
    });
    using State = StackExhibit::State;
    State state = State::here;
    if (part->found.empty()) {
      state = State::missing;
    } else if (misfit || part->error) {
      state = State::unusable;
    }
    Message missing;
    if (!part->missing.empty()) missing = {"machine.missing." + part->missing, part->arguments, {}};
    stack.parts.push_back({part->part,
                           {"stack.part." + part->part},
                           place.side,
                           state,
                           part->found,
                           part->error,
                           std::move(missing),
                           part->remedy});
  }
  return stack;
}

}  // namespace warpbook::lab
