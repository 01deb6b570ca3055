#include "lab/exhibits/source/compile_advice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace warpbook::lab {
namespace {

/// A phrase of the compiler's and the key of what we say to it. The first that fits wins.
struct AdviceRow {
  std::string_view phrase, key;
};
constexpr std::array kRows = {
    AdviceRow{"expected a \";\"", "compile.semicolon"},
    AdviceRow{"expected a \")\"", "compile.parenthesis"},
    AdviceRow{"expected a \"}\"", "compile.brace"},
    AdviceRow{"reached end of file", "compile.brace"},
    AdviceRow{"is undefined", "compile.undefined"},
    AdviceRow{"cannot open source file", "compile.header"},
    AdviceRow{"must be a modifiable lvalue", "compile.const"},
    AdviceRow{"a __device__ function", "compile.host-call"},
    AdviceRow{"calling a __host__ function", "compile.host-call"},
    AdviceRow{"must have void return type", "compile.kernel-returns"},
    AdviceRow{"return value type does not match", "compile.returns-value"},
    AdviceRow{"no instance of overloaded function \"atomic", "compile.atomic"},
    AdviceRow{"no instance of overloaded function", "compile.wrong-arguments"},
    AdviceRow{"too few arguments in function call", "compile.wrong-arguments"},
    AdviceRow{"too many arguments in function call", "compile.wrong-arguments"},
    AdviceRow{"must have a constant value", "compile.runtime-size"},
    AdviceRow{"has already been declared", "compile.twice"},
    AdviceRow{"expected an expression", "compile.expression"},
    AdviceRow{"missing closing quote", "compile.quote"},
    AdviceRow{"function call must be configured", "compile.no-launch"},
    AdviceRow{"No such file or directory", "compile.no-header"},
    AdviceRow{"undefined reference to `main'", "compile.no-main"},
    AdviceRow{"undefined reference to", "compile.no-definition"},
    AdviceRow{"multiple definition of", "compile.twice-defined"},
};

// What stands between the first two quotation marks.
std::string first_quoted(std::string_view text) {
  const std::size_t open = text.find('"');
  const std::size_t close = open == text.npos ? text.npos : text.find('"', open + 1);
  return close == text.npos ? std::string() : std::string(text.substr(open + 1, close - open - 1));
}

/// What CUDA declares and students misspell.
constexpr std::array<std::string_view, 32> kBuiltins = {"threadIdx",
                                                        "blockIdx",
                                                        "blockDim",
                                                        "gridDim",
                                                        "warpSize",
                                                        "__syncthreads",
                                                        "__syncwarp",
                                                        "__shared__",
                                                        "__device__",
                                                        "__global__",
                                                        "__constant__",
                                                        "__shfl_sync",
                                                        "__shfl_xor_sync",
                                                        "atomicAdd",
                                                        "atomicMax",
                                                        "__shfl_down_sync",
                                                        "__shfl_up_sync",
                                                        "__ballot_sync",
                                                        "atomicCAS",
                                                        "atomicMin",
                                                        "__restrict__",
                                                        "__launch_bounds__",
                                                        "cudaMalloc",
                                                        "cudaMallocManaged",
                                                        "cudaFree",
                                                        "cudaMemcpy",
                                                        "cudaMemcpyHostToDevice",
                                                        "cudaMemcpyDeviceToHost",
                                                        "cudaDeviceSynchronize",
                                                        "cudaGetLastError",
                                                        "cudaGetErrorString",
                                                        "cudaError_t"};

/// Letters to insert, delete, change or exchange with their neighbour (Damerau, "A technique for computer detection and
/// correction of spelling errors", 1964); capitals count for nothing.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::vector<std::size_t>> steps(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t k = 0; k <= b.size(); ++k) {
      if (i == 0 || k == 0) {
        steps[i][k] = i + k;
        continue;
      }
      steps[i][k] = std::min({steps[i - 1][k] + 1, steps[i][k - 1] + 1,
                              steps[i - 1][k - 1] + (same(a[i - 1], b[k - 1]) ? 0 : 1)});
      if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]))
        steps[i][k] = std::min(steps[i][k], steps[i - 2][k - 2] + 1);
    }
  }
  return steps[a.size()][b.size()];
}

/// The builtin that `name` was meant to be; empty where none is near.
std::string_view builtin_like(std::string_view name) {
  constexpr std::size_t kMost = 2;
  const auto nearest = std::ranges::min_element(
      kBuiltins, {}, [&](std::string_view builtin) { return letters_apart(name, builtin); });
  return name.size() > 4 && letters_apart(name, *nearest) <= kMost ? *nearest : std::string_view();
}

}  // namespace

Message compile_advice(std::span<const device::Diagnostic> diagnostics, std::string_view source) {
  const auto first = std::find_if(diagnostics.begin(), diagnostics.end(),
                                  [](const device::Diagnostic& diagnostic) {
                                    return diagnostic.severity == device::Severity::error;
                                  });
  if (first == diagnostics.end()) return {};
  const std::string name = first_quoted(first->text);
  // Without a kernel the compiler trips over whatever comes next; that __global__ is missing is the better thing to say.
  if (source.find("__global__") == source.npos && first->text.find("main'") == std::string::npos)
    return {"compile.no-kernel", {}, {}};
  for (const AdviceRow& row : kRows) {
    if (first->text.find(row.phrase) == std::string::npos) continue;
    if (const auto meant = builtin_like(name); row.key == "compile.undefined" && !meant.empty()) {
      return {"compile.misspelt",
              {{"name", name},
               {"meant", std::string(meant)},
               {"line", std::to_string(first->place.line)}},
              {}};
    }
    return {
        std::string(row.key), {{"name", name}, {"line", std::to_string(first->place.line)}}, {}};
  }
  return {};
}

Message warning_advice(std::string_view warning, std::uint32_t line) {
  if (warning.find("is used before its value is set") == warning.npos) return {};
  return {"compile.unset", {{"name", first_quoted(warning)}, {"line", std::to_string(line)}}, {}};
}

}  // namespace warpbook::lab
