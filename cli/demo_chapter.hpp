// The chapter that a prepared lecture is about.
#pragma once

#include "lab/book/demo.hpp"

namespace warpbook::cli {

struct DemoChapter {
  const lab::Lesson* lesson = nullptr;
  lab::Document document;  ///< in the language of the locale
};
/// Errors: the file's own place, and the chapters that there are; a text that cannot be read.
device::Expected<DemoChapter> chapter_of_demo(const lab::Demo& demo);

}  // namespace warpbook::cli
