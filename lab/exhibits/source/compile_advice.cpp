#include "lab/exhibits/source/compile_advice.hpp"

#include <algorithm>
#include <array>

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
    AdviceRow{"no instance of overloaded function", "compile.wrong-arguments"},
    AdviceRow{"too few arguments in function call", "compile.wrong-arguments"},
    AdviceRow{"too many arguments in function call", "compile.wrong-arguments"},
    AdviceRow{"has already been declared", "compile.twice"},
    AdviceRow{"expected an expression", "compile.expression"},
    AdviceRow{"missing closing quote", "compile.quote"},
};

// What stands between the first two quotation marks.
std::string first_quoted(std::string_view text) {
  const std::size_t open = text.find('"');
  const std::size_t close = open == text.npos ? text.npos : text.find('"', open + 1);
  return close == text.npos ? std::string() : std::string(text.substr(open + 1, close - open - 1));
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
  if (source.find("__global__") == source.npos) return {"compile.no-kernel", {}, {}};
  for (const AdviceRow& row : kRows) {
    if (first->text.find(row.phrase) == std::string::npos) continue;
    return {
        std::string(row.key), {{"name", name}, {"line", std::to_string(first->place.line)}}, {}};
  }
  return {};
}

}  // namespace warpbook::lab
