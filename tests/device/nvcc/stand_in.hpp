// A toolkit that stands in for CUDA's: its nvcc is a shell script that lets g++ compile everything, and counts how often it is
// called. With it, and a runtime made by g++, programs are built and run without anything of NVIDIA's.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/nvcc/build_program.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "device/worker/limited_child.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

/// A variable of the environment while a test lasts.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// What the script does with its arguments: `$source`, `$object`, `$rule` and, for g++, `$options`.
inline constexpr const char* kReadArguments = R"script(
options=; separate=
while [ $# -gt 0 ]; do
  case $1 in
    -c) source=$2; shift ;;
    -o) object=$2; shift ;;
    -MF) rule=$2; shift ;;
    -Xcompiler) options="$options $(echo $2 | tr , ' ')"; shift ;;
    -I) options="$options -I $2"; shift ;;
    -D* | -std=*) options="$options $1" ;;
    -rdc=true) separate=1 ;;
  esac
  shift
done
)script";
inline constexpr const char* kCompile =
    "exec g++ -x c++ -c \"$source\" -o \"$object\" -MD -MF \"$rule\" $options\n";

inline void write_program(const std::filesystem::path& file, const std::string& script) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

/// Writes a whole toolkit below `folder`, whose nvcc runs `script`.
inline void write_toolkit(const std::filesystem::path& folder, const std::string& script,
                          int version = 13000) {
  write_program(folder / "bin" / "nvcc", script);
  for (const char* program : {"bin/cudafe++", "bin/ptxas", "bin/fatbinary", "nvvm/bin/cicc"})
    write_program(folder / program, "exit 1");
  for (const char* file : {"nvvm/libdevice/libdevice.10.bc", "include/cuda_runtime.h",
                           "include/crt/host_runtime.h", "include/cuda_runtime_api.h"}) {
    std::filesystem::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << "#define CUDART_VERSION  " << version << "\n";
  }
}

/// Compiles C++ into the libcudart.so.13 of a folder.
inline void write_runtime(const TemporaryFolder& folder, const std::string& source) {
  const auto file = folder.write("runtime/runtime.cpp", source);
  const auto made = device::run_limited(
      {.program = "/usr/bin/g++",
       .arguments = {"-shared", "-fPIC", "-o", file.parent_path() / device::kRuntimeFile, file},
       .environment = {"PATH=/usr/bin:/bin"},
       .file_bytes = 1u << 30});
  CAPTURE(made.errors);
  REQUIRE(made.code == 0);
}

/// Sources, a toolkit that `$WARPBOOK_NVCC` names, a runtime and a cache of their own.
class Workshop {
 public:
  explicit Workshop(const std::string& before_compiling = "") {
    write_toolkit(folder_.path() / "toolkit", "echo called >>" +
                                                  (folder_.path() / "calls").string() +
                                                  kReadArguments + before_compiling + kCompile);
    write_runtime(folder_, "");
  }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            const std::string& text) const {
    return folder_.write("sources/" + name, text);
  }
  [[nodiscard]] device::ProgramSources sources(std::vector<std::filesystem::path> files) const {
    device::ProgramSources sources;
    sources.files = std::move(files);
    sources.folder = folder_.path() / "sources";
    sources.runtime = folder_.path() / "runtime";
    return sources;
  }
  /// How many sources nvcc was asked to compile so far.
  [[nodiscard]] std::size_t calls() const {
    return device::read_file(folder_.path() / "calls").value_or("").size() / 7;  // "called\n"
  }

 private:
  const TemporaryFolder folder_;
  const Variable nvcc_{"WARPBOOK_NVCC", folder_.path() / "toolkit"};
  const Variable home_{"WARPBOOK_HOME", folder_.path() / "home"};
};

/// What a built program writes, and its exit code.
inline device::ChildOutcome run_program(const device::Expected<device::BuiltProgram>& built) {
  CAPTURE(built ? std::string() : built.error().english());
  REQUIRE(built);
  return device::run_limited({.program = built->executable});
}

}  // namespace warpbook::tests
