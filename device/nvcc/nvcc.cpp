#include "device/nvcc/nvcc.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "device/compiler/toolkit.hpp"
#include "device/platform.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

/// What nvcc starts while it compiles to PTX, with the file that cicc reads.
constexpr std::array kPrograms{"bin/nvcc", "bin/cudafe++", "bin/ptxas", "bin/fatbinary",
                               "nvvm/bin/cicc"};
constexpr std::array kFiles{"nvvm/libdevice/libdevice.10.bc", "include/cuda_runtime.h",
                            "include/crt/host_runtime.h"};

tl::unexpected<Error> nvcc_missing(Message detail) {
  return failure(ErrorCode::library_missing,
                 {{"library", "nvcc"}, {"detail", std::move(detail)}, {"command", kNvccCommand}});
}

tl::unexpected<Error> no_file(const fs::path& file) {
  return nvcc_missing(Message{"phrase.detail.no-file", {{"file", file.string()}}, {}});
}

/// "13.0", as CUDA's header has it; nothing where it does not say.
std::optional<std::string> version_in(const fs::path& includes) {
  constexpr std::string_view kDefine = "#define CUDART_VERSION";
  const auto header = read_file(includes / "cuda_runtime_api.h");
  const std::size_t at = header ? header->find(kDefine) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  int number = 0;
  const std::size_t digits = header->find_first_not_of(' ', at + kDefine.size());
  if (digits != std::string::npos)
    std::from_chars(header->data() + digits, header->data() + header->size(), number);
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

/// The nvcc of a toolkit, if all of it is there.
Expected<Nvcc> nvcc_of(const fs::path& toolkit) {
  for (const char* name : kPrograms) {
    if (::access((toolkit / name).c_str(), X_OK) != 0) return no_file(toolkit / name);
  }
  for (const char* name : kFiles) {
    if (::access((toolkit / name).c_str(), R_OK) != 0) return no_file(toolkit / name);
  }
  std::error_code error;
  Nvcc nvcc{fs::canonical(toolkit / kPrograms.front(), error),
            fs::canonical(toolkit / "include", error)};
  const std::string found = version_in(nvcc.includes).value_or("?");
  if (found.starts_with(fmt::format("{}.", kCudaMajor))) return nvcc;
  return failure(ErrorCode::library_version, {{"file", nvcc.program.string()},
                                              {"library", "nvcc"},
                                              {"found", found},
                                              {"needed", kCudaMajor},
                                              {"command", kNvccCommand}});
}

/// The folder that a path names, by itself or by the nvcc in its bin/.
fs::path named_folder(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return path;
  return fs::canonical(path, error).parent_path().parent_path();
}

std::string stamp_of(const fs::path& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0) return "none";
  return fmt::format("{}:{}.{}", about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

}  // namespace

Expected<Nvcc> nvcc_in(const fs::path& folder) {
  constexpr const char* kWheels = "nvidia/cu13";
  std::error_code error;
  return nvcc_of(fs::is_directory(folder / kWheels, error) ? folder / kWheels : folder);
}

Expected<Nvcc> find_nvcc() {
  if (const char* only = std::getenv("WARPBOOK_NVCC"); only != nullptr && only[0] != '\0')
    return nvcc_in(named_folder(only));
  std::vector<fs::path> folders = toolkit_folders();
  folders.push_back(root_folder() / "build" / "deps" / "nvcc");
  for (const fs::path& folder : folders) {
    if (auto nvcc = nvcc_in(folder)) return nvcc;
  }
  return nvcc_missing(Message{"phrase.detail.not-in-usual-places", {}, {}});
}

Expected<fs::path> nvidia_runtime_folder(const Nvcc& nvcc) {
  const fs::path toolkit = nvcc.program.parent_path().parent_path();
  std::error_code absent;
  for (const char* folder : {"lib", "lib64", "targets/x86_64-linux/lib"}) {
    if (fs::exists(toolkit / folder / kRuntimeFile, absent)) return toolkit / folder;
  }
  const std::string file = (toolkit / "lib" / kRuntimeFile).string();
  return failure(ErrorCode::library_missing,
                 {{"library", kRuntimeFile},
                  {"detail", Message{"phrase.detail.no-file", {{"file", file}}, {}}},
                  {"command", kNvccCommand}});
}

std::string identity_of(const Nvcc& nvcc) {
  const fs::path toolkit = nvcc.program.parent_path().parent_path();
  std::string identity = toolkit.string();
  for (const char* name : kPrograms) identity += " " + stamp_of(toolkit / name);
  for (const char* name : kFiles) identity += " " + stamp_of(toolkit / name);
  return identity + " " + nvcc.includes.string() + " " +
         stamp_of(nvcc.includes / "cuda_runtime_api.h");
}

}  // namespace warpbook::device
