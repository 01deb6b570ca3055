#include "cli/demo_chapter.hpp"

#include "cli/command.hpp"
#include "device/platform.hpp"

namespace warpbook::cli {

device::Expected<DemoChapter> chapter_of_demo(const lab::Demo& demo) {
  const auto lesson = find_chapter(demo.chapter);
  if (!lesson) {
    device::Error error = lesson.error();
    error.place = {demo.file, demo.chapter_line, 0};
    return tl::unexpected(std::move(error));
  }
  const std::string root = device::root_folder().string();
  auto document = lab::load_document(root, demo.chapter, lab::language_of_locale(root));
  if (!document) return tl::unexpected(document.error());
  return DemoChapter{*lesson, std::move(*document)};
}

}  // namespace warpbook::cli
