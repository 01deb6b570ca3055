#include "cli/commands/doctor_findings.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>

#include <fmt/format.h>

#include "device/compiler/toolkit.hpp"
#include "device/libraries/client.hpp"
#include "device/platform.hpp"
#include "device/worker/unique_fd.hpp"

namespace warpbook::cli {
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
  return fs::exists("/dev/dxg", ignored);  // WSL 2
}

std::string cuda_text(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

void look_at_driver(const Expected<DriverFacts>& facts, Findings& findings) {
  const std::string remedy =
      has_nvidia_hardware()
          ? fmt::format("sudo apt-get install cuda-drivers-{}", device::gpu::kDriverNeeded)
          : "";
  Finding gpu{"gpu", {}, {}, {}, {}, {}}, driver{"driver", {}, {}, {}, {}, {}};
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
  if (gpu.found.empty()) gpu.missing = remedy.empty() ? "no-gpu" : "unused-gpu";
  if (error) {
    driver.error = error;
    driver.remedy = remedy;
  }
  findings.parts.push_back(std::move(gpu));
  findings.parts.push_back(std::move(driver));
}

void look_at_compiler(const device::Compiler::Status& status, Findings& findings) {
  Finding toolkit{"toolkit", {}, {}, {}, {}, {}}, nvrtc{"nvrtc", {}, {}, {}, {}, {}};
  if (status.available) {
    toolkit.found = {status.headers};
    nvrtc.found = {status.version, status.library};
  } else {
    toolkit.missing = "no-toolkit";
    toolkit.remedy = nvrtc.remedy = kSetUp;
    nvrtc.error = status.error;
  }
  findings.parts.push_back(std::move(toolkit));
  findings.parts.push_back(std::move(nvrtc));
}

void look_at_library(Kind kind, const char* part, const Expected<Identity>& identity,
                     Findings& findings) {
  Finding library{part, {}, {}, {}, {}, {}};
  if (identity) {
    library.found = {identity->version, identity->file};
    if (!identity->cuda.empty() && kind == Kind::cudnn)
      library.found.push_back("CUDA " + identity->cuda);
  } else {
    library.error = identity.error();
    library.remedy = libraries::command_for(kind);
  }
  findings.parts.push_back(std::move(library));
}

// The folders that the window looks in (gui/shell/fonts.cpp).
bool has_font(const std::string& name) {
  std::vector<fs::path> folders{device::executable_path().parent_path() / "fonts"};
  if (const char* home = std::getenv("HOME"))
    folders.push_back(fs::path(home) / ".local/share/fonts");
  folders.emplace_back("/usr/local/share/fonts");
  folders.emplace_back("/usr/share/fonts");
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                        ignored);
    for (const fs::recursive_directory_iterator end; !ignored && at != end; at.increment(ignored)) {
      if (at->path().filename() == name) return true;
    }
  }
  return false;
}

void look_at_fonts(Findings& findings) {
  struct Font {
    const char* name;
    const char* file;
    const char* remedy;
  };
  Finding fonts{"fonts", {}, {}, {}, {}, {}};
  std::string missing;
  for (const Font& font : {Font{"Roboto", "Roboto-Regular.ttf", kSetUp},
                           Font{"JetBrains Mono", "JetBrainsMono-Regular.ttf",
                                "sudo apt-get install fonts-jetbrains-mono"},
                           Font{"WenQuanYi Micro Hei", "wqy-microhei.ttc",
                                "sudo apt-get install fonts-wqy-microhei"}}) {
    if (has_font(font.file)) {
      fonts.found.emplace_back(font.name);
    } else {
      missing += (missing.empty() ? "" : ", ") + std::string(font.name);
      // The set-up brings all of them.
      fonts.remedy = fonts.remedy.empty() ? font.remedy : kSetUp;
    }
  }
  if (!missing.empty()) {
    fonts.missing = "no-font";
    fonts.arguments = {{"fonts", missing}};
  }
  findings.parts.push_back(std::move(fonts));
}

// ":3" and ":3.0" are the socket X3; what is on another machine is taken at its word.
bool answers(const std::string& display) {
  if (!display.starts_with(":")) return true;
  const std::string number = display.substr(1, display.find('.') - 1);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/tmp/.X11-unix/X" + number;
  if (path.size() >= sizeof address.sun_path) return false;
  std::ranges::copy(path, address.sun_path);
  const device::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return socket &&
         ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

void look_at_display(Findings& findings) {
  Finding display{"display", {}, {}, {}, {}, {}};
  const char* const name = std::getenv("DISPLAY");
  if (name == nullptr || name[0] == '\0') {
    display.missing = "no-display";
  } else if (!answers(name)) {
    display.missing = "dead-display";
    display.arguments = {{"name", name}};
  } else {
    display.found = {name};
  }
  findings.parts.push_back(std::move(display));
}

std::string major_of(const std::string& version) { return version.substr(0, version.find('.')); }

void look_at_fits(const device::Compiler::Status& compiler, const Expected<DriverFacts>& driver,
                  const Expected<Identity>& cudnn, const Expected<Identity>& cublas,
                  Findings& findings) {
  const std::string ours = std::to_string(device::kCudaMajor);
  const std::string toolkit = compiler.available ? compiler.version : "";
  if (driver && driver->cuda > 0 && !toolkit.empty()) {
    findings.fits.push_back({"driver-toolkit",
                             driver->cuda >= device::gpu::kCudaVersion,
                             {{"driver", cuda_text(driver->cuda)}, {"toolkit", toolkit}}});
  }
  if (cudnn) {
    findings.fits.push_back({"cudnn-cuda",
                             major_of(cudnn->cuda) == ours,
                             {{"version", cudnn->version}, {"cuda", cudnn->cuda}, {"ours", ours}}});
  }
  if (cublas && !toolkit.empty()) {
    findings.fits.push_back({"cublas-toolkit",
                             major_of(cublas->version) == major_of(toolkit),
                             {{"version", cublas->version}, {"toolkit", toolkit}}});
  }
}

}  // namespace

Findings look_around(const device::Compiler::Status& compiler) {
  const auto library = [](Kind kind) {
    return std::async(std::launch::async, [kind] { return libraries::Client(kind).identity(); });
  };
  auto driver = std::async(std::launch::async, libraries::ask_driver);
  auto opengl = std::async(std::launch::async, libraries::ask_opengl);
  auto cudnn = library(Kind::cudnn), cublas = library(Kind::cublas), onednn = library(Kind::onednn);
  const auto facts = driver.get();
  const auto dnn = cudnn.get(), blas = cublas.get(), cpu = onednn.get();
  Findings findings;
  look_at_driver(facts, findings);
  look_at_compiler(compiler, findings);
  look_at_library(Kind::cudnn, "cudnn", dnn, findings);
  look_at_library(Kind::cublas, "cublas", blas, findings);
  look_at_library(Kind::onednn, "onednn", cpu, findings);
  Finding renderer{"opengl", {}, {}, {}, {}, {}};
  if (const auto drawn = opengl.get()) {
    renderer.found = {*drawn};
  } else {
    renderer.error = drawn.error();
    renderer.remedy = "sudo apt-get install libegl-mesa0 libgl1-mesa-dri";
  }
  findings.parts.push_back(std::move(renderer));
  look_at_fonts(findings);
  look_at_display(findings);
  look_at_fits(compiler, facts, dnn, blas, findings);
  return findings;
}

}  // namespace warpbook::cli
