// The whole program that a chapter comes with: lessons/<slug>/program/<name>.cu.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpbook::lab {

/// Its path below the root; nothing where the chapter has none.
std::optional<std::string> program_of_chapter(const std::string& root, std::string_view slug);

}  // namespace warpbook::lab
