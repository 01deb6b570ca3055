#include "device/nvcc/separate_compilation.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace warpbook::device {
namespace {

constexpr std::string_view kAsksForIt = "requires separate compilation mode";
constexpr std::string_view kTakenForItsOwn = "is treated as a static definition";
constexpr std::string_view kRegistration = "__cudaRegisterLinkedBinary";

/// Functions that every module may call though none defines them.
bool is_cudas_own(std::string_view name) {
  constexpr std::array<std::string_view, 4> kSystemCalls{"vprintf", "malloc", "free",
                                                         "__assertfail"};
  return std::find(kSystemCalls.begin(), kSystemCalls.end(), name) != kSystemCalls.end() ||
         name.starts_with("cuda") || name.starts_with("__cuda") || name.starts_with("__nv");
}

/// The name in what follows ".extern .func": " (.param .b32 func_retval0) _Z5twicei\n(", where the result may be missing.
std::string_view declared_name(std::string_view rest) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::size_t begin = rest.find_first_not_of(kBlanks);
  if (begin != std::string_view::npos && rest[begin] == '(') {
    begin = rest.find(')', begin);
    if (begin != std::string_view::npos) begin = rest.find_first_not_of(kBlanks, begin + 1);
  }
  if (begin == std::string_view::npos) return {};
  return rest.substr(begin, rest.find_first_of(" \t\r\n(;", begin) - begin);
}

bool calls_another_file(std::string_view object) {
  constexpr std::string_view kDeclaration = ".extern .func";
  for (std::size_t at = 0; (at = object.find(kDeclaration, at)) != std::string_view::npos;) {
    at += kDeclaration.size();
    const std::string_view name = declared_name(object.substr(at));
    if (!name.empty() && !is_cudas_own(name)) return true;
  }
  return false;
}

}  // namespace

bool needs_separate_compilation(std::span<const WholeCompile> compiles, std::size_t cuda_files) {
  const bool several = cuda_files > 1;
  return std::any_of(compiles.begin(), compiles.end(), [several](const WholeCompile& compile) {
    const auto says = [&](std::string_view text) {
      return compile.said.find(text) != std::string_view::npos;
    };
    return says(kAsksForIt) || ((several || compile.failed) && says(kTakenForItsOwn)) ||
           (several && calls_another_file(compile.object));
  });
}

std::vector<std::string> unlinked_modules(std::string_view undefined_symbols) {
  std::vector<std::string> functions;
  for (std::size_t at = 0;
       (at = undefined_symbols.find(kRegistration, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(undefined_symbols.find('\n', at), undefined_symbols.size());
    functions.emplace_back(undefined_symbols.substr(at, end - at));
    at = end;
  }
  std::sort(functions.begin(), functions.end());
  functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
  return functions;
}

std::string registration_source(std::span<const std::string> functions) {
  std::string source =
      "extern \"C\" void __warpbookRegisterLinked(const void*, void (*)(void**), const char*);\n";
  for (const std::string& function : functions) {
    source += fmt::format(
        "extern \"C\" void {}(void (*callback)(void**), void* wrapper, void* name, void "
        "(*)(void*)) {{\n"
        "  __warpbookRegisterLinked(wrapper, callback, static_cast<const char*>(name));\n"
        "}}\n",
        function);
  }
  return source;
}

}  // namespace warpbook::device
