#include "lab/program/chapter_program.hpp"

#include <filesystem>
#include <system_error>

namespace warpbook::lab {

std::optional<std::string> program_of_chapter(const std::string& root, std::string_view slug) {
  namespace fs = std::filesystem;
  std::error_code absent;
  for (const auto& entry :
       fs::directory_iterator(fs::path(root) / "lessons" / slug / "program", absent)) {
    if (entry.path().extension() == ".cu") return entry.path().lexically_relative(root).string();
  }
  return std::nullopt;
}

}  // namespace warpbook::lab
