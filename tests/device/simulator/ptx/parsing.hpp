// Shared by the parser's tests: a module around a few lines, and the failure of a text.
#pragma once

#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include "device/simulator/ptx/module.hpp"
#include "tests/keyed.hpp"

namespace warpbook::device::ptx {

inline constexpr std::string_view kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

inline Module parsed(std::string_view text) {
  Expected<Module> module = parse(std::string(text), "t.ptx");
  if (!module) {
    FAIL(module.error().english());
  }
  return std::move(*module);
}

/// `text` behind the head of a module.
inline Module parsed_module(std::string_view text) {
  return parsed(std::string(kHead) + std::string(text));
}

/// The head and one kernel k, with `body` from line 6 on.
inline std::string kernel_around(std::string_view body) {
  return std::string(kHead) + ".entry k(.param .u64 p)\n{\n" + std::string(body) + "\n}\n";
}

inline Module parsed_kernel(std::string_view body) { return parsed(kernel_around(body)); }

/// "line:column why" of a text that must not parse, where the reason is a key with its arguments.
inline std::string failure_of(std::string_view text) {
  const Expected<Module> module = parse(std::string(text), "t.ptx");
  if (module) {
    return "it parses";
  }
  const Error& error = module.error();
  CHECK(error.place.file == "t.ptx");
  return std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + " " +
         (error.arguments.empty() ? "" : warpbook::tests::keyed(error.arguments.front().value));
}

inline const Function& function_of(const Module& module, std::string_view name) {
  return module.functions.at(module.function_by_name.at(name));
}

inline const Variable& variable_of(const Module& module, std::string_view name) {
  return module.variables.at(module.variable_by_name.at(name));
}

}  // namespace warpbook::device::ptx
