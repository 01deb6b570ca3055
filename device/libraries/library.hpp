// A library of other people's kernels: which algorithms it has for a problem, what one of them computes, and how long it
// takes. NVIDIA's and oneDNN run in a worker process (client.hpp), behind the same interface as in it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"
#include "device/libraries/problem.hpp"
#include "device/measure.hpp"

namespace warpbook::device::libraries {

enum class Kind : std::uint8_t { cudnn, cublas, onednn };
constexpr auto enum_names(Kind) { return checked_names<Kind>("cuDNN", "cuBLAS", "oneDNN"); }
/// The one command that installs it.
std::string_view command_for(Kind kind);

/// The library that was opened.
struct Identity {
  std::string version;  ///< "9.19.0"
  std::string file;
  std::string cuda;  ///< the CUDA it was built for, "13.0"; empty where it has none
};
template <class V>
void fields(V&& visit, Is<Identity> auto& v) {
  visit("version", v.version);
  visit("file", v.file);
  visit("cuda", v.cuda);
}

/// The target of a choice: a GPU that is described to the library, or the hardware on which it runs.
struct Target {
  std::string
      description;  ///< cuDNN's JSON (described_gpu.hpp); empty: the hardware that is present
  /// At most so many of cuDNN's engines, the first in its order that it need not compile, which takes seconds each; 0: all.
  std::uint32_t most = 0;
  friend bool operator==(const Target&, const Target&) = default;
};
template <class V>
void fields(V&& visit, Is<Target> auto& v) {
  visit("description", v.description);
  visit("most", v.most);
}

struct Algorithm {
  std::string name;      ///< "engine 38", "brgconv:avx512_core"
  std::string settings;  ///< in the library's own words: an engine's knobs, a primitive's layouts
  std::string
      origin;  ///< how it came to be listed: "heuristic", "fallback", "by number"; may be empty
  std::uint64_t workspace = 0;     ///< bytes
  std::vector<std::string> notes;  ///< in the library's own words: "TENSOR_CORE", ...
};
template <class V>
void fields(V&& visit, Is<Algorithm> auto& v) {
  visit("name", v.name);
  visit("settings", v.settings);
  visit("origin", v.origin);
  visit("workspace", v.workspace);
  visit("notes", v.notes);
}

/// The algorithms that a library has for a problem, in its own order of preference.
struct Offer {
  std::vector<Algorithm> algorithms;
  std::uint32_t left_out = 0;  ///< of lower precision than was asked for
  std::uint32_t refused = 0;   ///< asked for by number, and not fit for this problem and GPU
};
template <class V>
void fields(V&& visit, Is<Offer> auto& v) {
  visit("algorithms", v.algorithms);
  visit("left_out", v.left_out);
  visit("refused", v.refused);
}

class Library {
 public:
  virtual ~Library() = default;
  virtual Expected<Identity> identity() = 0;

  /// Errors: bad_problem, library_refused with the library's own words, library_missing, ...
  virtual Expected<Offer> offer(const Problem& problem, const Target& target) = 0;
  /// The result of an algorithm on `inputs`, the tensors of tensors_of. `algorithm` is its index in the last offer for the
  /// hardware that is present, or in that of all algorithms if none was asked for.
  virtual Expected<std::vector<float>> run(const Problem& problem, std::uint32_t algorithm,
                                           const std::vector<std::vector<float>>& inputs) = 0;
  /// The times of algorithms of that offer, taken in turns.
  virtual Expected<std::vector<Timing>> time(const Problem& problem,
                                             const std::vector<std::uint32_t>& algorithms,
                                             const TimeLimits& limits) = 0;
  /// The GPU that is present as the library describes it to itself. Error: not_supported.
  virtual Expected<std::string> describe_device();
};

/// Opens the library in this process, for good: none is ever unloaded. Errors: library_missing,
/// library_damaged, library_version.
Expected<std::unique_ptr<Library>> open_cudnn(const std::string& file);
Expected<std::unique_ptr<Library>> open_cublas(const std::string& file);
Expected<std::unique_ptr<Library>> open_onednn(const std::string& file);
Expected<std::unique_ptr<Library>> open(Kind kind, const std::string& file);

}  // namespace warpbook::device::libraries
