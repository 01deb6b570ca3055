#include "device/nvcc/commands.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "device/characters.hpp"
#include "device/compiler/toolkit.hpp"
#include "device/platform.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kEndings{".cu", ".cpp", ".cc", ".cxx", ".c"};
constexpr std::array<std::string_view, 4> kStandards{"11", "14", "17", "20"};

// Libraries beside the runtime: how their functions begin, headers by which a folder is known, and where those are below a toolkit or
// an unpacked wheel.
constexpr std::array kLibraries{"cublas", "cudnn", "cufft", "curand"};
constexpr std::array kLibraryHeaders{"cublas_v2.h", "cudnn.h", "cufft.h", "curand_kernel.h"};
constexpr std::array kHeaderFolders{"include", "targets/x86_64-linux/include",
                                    "nvidia/cu13/include", "nvidia/cudnn/include"};

template <class List>
bool contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool expands_in_shell(unsigned char c) { return c == '$' || c == '`' || c == '\\' || c < 0x20; }

tl::unexpected<Error> bad_argument(std::string text, const char* why) {
  return failure(ErrorCode::bad_argument,
                 {{"text", std::move(text)}, {"why", Message{why, {}, {}}}});
}

Expected<void> check_define(const std::string& define) {
  const auto fail = [&](const char* why) {
    return failure(ErrorCode::bad_define, {{"define", define}, {"why", Message{why, {}, {}}}});
  };
  const std::string_view name = std::string_view(define).substr(0, define.find('='));
  if (!is_identifier(name)) return fail("phrase.why.no-identifier");
  if (std::any_of(define.begin(), define.end(), expands_in_shell))
    return fail("phrase.why.shell-reads-it");
  return {};
}

/// A name that begins with - would be an option.
std::string as_file(const fs::path& path) {
  std::string text = path.string();
  if (text.starts_with('-')) text.insert(0, "./");
  return text;
}

/// The libraries of ours that stand beside the runtime.
std::vector<fs::path> drop_ins_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) {
    if (entry.is_symlink(absent)) continue;  // libcuda.so.1 is the runtime's second name
    const std::string name = entry.path().filename().string();
    if (name.starts_with("lib") && name.find(".so.") != std::string::npos && name != kRuntimeFile)
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void append(std::vector<std::string>& to, std::initializer_list<std::string> more) {
  to.insert(to.end(), more);
}

}  // namespace

fs::path removed_headers() { return root_folder() / "device" / "nvcc" / "removed"; }

std::vector<fs::path> library_headers() {
  std::vector<fs::path> toolkits = toolkit_folders();
  toolkits.push_back(root_folder() / "build" / "deps" / "libraries");
  std::vector<fs::path> folders;
  for (const fs::path& toolkit : toolkits) {
    for (const char* below : kHeaderFolders) {
      const fs::path folder = toolkit / below;
      std::error_code absent;
      const auto has = [&](const char* header) { return fs::exists(folder / header, absent); };
      // Before CUDA 13, Thrust lay beside them, and would come before the one that nvcc brings.
      if (!has("thrust") && std::any_of(kLibraryHeaders.begin(), kLibraryHeaders.end(), has))
        folders.push_back(folder);
    }
  }
  folders.push_back(root_folder() / "device" / "runtime" / "libraries" / "include");
  return folders;
}

std::vector<std::string> missing_library_functions(std::string_view said) {
  constexpr std::string_view kBegin = "undefined reference to `";
  std::set<std::string> names;
  for (std::size_t at = 0; (at = said.find(kBegin, at)) != std::string_view::npos;) {
    at += kBegin.size();
    const std::string_view name = said.substr(at, said.find('\'', at) - at);
    const auto begins = [&](const char* library) { return name.starts_with(library); };
    if (std::any_of(kLibraries.begin(), kLibraries.end(), begins)) names.emplace(name);
  }
  return {names.begin(), names.end()};
}

Expected<void> check(const ProgramSources& sources) {
  if (sources.files.empty()) return bad_argument("", "phrase.why.no-program-source");
  for (const fs::path& file : sources.files) {
    if (!contains(kEndings, file.extension().string()))
      return bad_argument(file.string(), "phrase.why.no-program-source");
  }
  if (!sources.standard.empty() && !contains(kStandards, sources.standard))
    return bad_argument(sources.standard, "phrase.why.no-standard");
  for (const std::string& define : sources.defines) {
    if (auto checked = check_define(define); !checked) return checked;
  }
  return {};
}

Expected<void> check_for_shell(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (std::any_of(argument.begin(), argument.end(), expands_in_shell))
      return bad_argument(argument, "phrase.why.shell-reads-it");
  }
  return {};
}

std::vector<std::string> compile_arguments(const ProgramSources& sources,
                                           const Translation& translation) {
  const bool is_c = translation.source.extension() == ".c";
  std::vector<std::string> arguments{"-c", as_file(translation.source), "-o",
                                     translation.object.string()};
  append(arguments, {"-MD", "-MF", translation.dependencies.string()});
  // PTX alone, as text: the simulator reads it, and a GPU's driver compiles it.
  const std::string architecture = fmt::format("compute_{}", sources.compute_capability);
  append(arguments,
         {"-arch=" + architecture, "-code=" + architecture, "--no-compress", "-lineinfo"});
  // Lines and whole stacks of the host, so that each call of the runtime can be told by its place.
  append(arguments, {"-Xcompiler", "-g1,-fno-omit-frame-pointer"});
  if (translation.openmp) append(arguments, {"-Xcompiler", "-fopenmp"});
  if (translation.separate) arguments.emplace_back("-rdc=true");
  if (!sources.standard.empty() && !is_c) arguments.push_back("-std=c++" + sources.standard);
  append(arguments, {"-I", removed_headers().string()});
  for (const fs::path& folder : sources.include) append(arguments, {"-I", folder.string()});
  // Behind the folders of -I, so that nvcc's own headers come first.
  for (const fs::path& folder : library_headers()) append(arguments, {"-isystem", folder.string()});
  // Behind all others, so that nothing else changes.
  if (!sources.nvrtc_headers.empty())
    append(arguments, {"-Xcompiler", "-idirafter," + sources.nvrtc_headers.string()});
  for (const std::string& define : sources.defines) arguments.push_back("-D" + define);
  return arguments;
}

std::vector<std::string> link_arguments(const ProgramSources& sources,
                                        const std::vector<fs::path>& parts, bool openmp,
                                        const fs::path& executable) {
  std::vector<std::string> arguments{"-o", executable.string()};
  for (const fs::path& part : parts) arguments.push_back(part.string());
  if (openmp) arguments.emplace_back("-fopenmp");
  // A program gets those of the libraries that it calls, so that nobody has to name them.
  arguments.emplace_back("-Wl,--as-needed");
  for (const fs::path& library : drop_ins_in(sources.runtime))
    arguments.push_back(library.string());
  arguments.emplace_back("-Wl,--no-as-needed");
  // The driver's functions are in the same library.
  arguments.push_back((sources.runtime / kRuntimeFile).string());
  if (!sources.nvrtc.empty()) {
    append(arguments,
           {"-Xlinker", "--as-needed", sources.nvrtc.string(), "-Xlinker", "--no-as-needed"});
  }
  // As an old DT_RPATH, which comes before $LD_LIBRARY_PATH: where CUDA is installed, that often leads to NVIDIA's own runtime.
  append(arguments, {"-Xlinker", "--disable-new-dtags"});
  append(arguments, {"-Xlinker", "-rpath", "-Xlinker", sources.runtime.string()});
  if (!sources.nvrtc.empty()) {
    append(arguments, {"-Xlinker", "-rpath", "-Xlinker", sources.nvrtc.parent_path().string()});
  }
  return arguments;
}

bool uses_openmp(std::string_view source) {
  // "#pragma omp", with the blanks that C++ allows around each word.
  for (std::size_t at = 0; (at = source.find("pragma", at)) != std::string_view::npos;) {
    at += 6;
    const std::size_t word = source.find_first_not_of(" \t", at);
    if (word != at && word != std::string_view::npos && source.substr(word).starts_with("omp"))
      return true;
  }
  return source.find("<omp.h>") != std::string_view::npos ||
         source.find("\"omp.h\"") != std::string_view::npos;
}

bool is_cuda(const fs::path& source) { return source.extension() == ".cu"; }

}  // namespace warpbook::device
