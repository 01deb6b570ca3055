// NVRTC's functions, which the compile worker takes from the library at run time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "device/compiler/toolkit.hpp"
#include "device/error.hpp"

namespace warpbook::device {

/// One program for NVRTC.
struct NvrtcJob {
  std::string name;  ///< the program's name: no folder
  std::string source;
  std::vector<std::string> options;
  std::vector<std::pair<std::string, std::string>> headers;  ///< in memory: name and text
  std::vector<std::string> name_expressions;
  bool cubin = false;
};

struct NvrtcResult {
  int code = 0;       ///< nvrtcResult
  std::string error;  ///< its name, "NVRTC_ERROR_COMPILATION"
  std::string log;
  std::string ptx;
  std::string cubin;
  std::vector<std::pair<std::string, std::string>> lowered;
};
template <class V>
void fields(V&& visit, Is<NvrtcResult> auto& v) {
  visit("code", v.code);
  visit("error", v.error);
  visit("log", v.log);
  visit("ptx", v.ptx);
  visit("cubin", v.cubin);
  visit("lowered", v.lowered);
}

/// The nvrtcResult values that we distinguish (nvrtc.h).
inline constexpr int kNvrtcSuccess = 0;
inline constexpr int kNvrtcOutOfMemory = 1;
inline constexpr int kNvrtcCompilation = 6;

/// The loaded library. Stays loaded for the life of the process.
class Nvrtc {
 public:
  /// Opens the builtins by absolute path first: NVRTC opens them by bare name and would take
  /// another toolkit's. Error: compiler_missing, also for another major version.
  static Expected<Nvrtc> open(const Toolkit& toolkit);

  [[nodiscard]] NvrtcResult compile(const NvrtcJob& job) const;
  /// Architectures that it compiles for: 75, 80, ...
  [[nodiscard]] std::vector<int> architectures() const;
  [[nodiscard]] int major() const { return major_; }
  [[nodiscard]] int minor() const { return minor_; }

 private:
  struct Functions;
  const Functions* functions_ = nullptr;
  int major_ = 0, minor_ = 0;
};

}  // namespace warpbook::device
