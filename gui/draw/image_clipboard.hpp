// Offers a picture to other programs through the X server's clipboard. (GLFW offers text alone.)
#pragma once

#include <memory>
#include <string>
#include <thread>

namespace warpbook::gui {

class ImageClipboard {
 public:
  /// Owns the clipboard from now on, until another program takes it or this object is destroyed. `png` is a whole file.
  /// Gives back an empty string, or why it failed.
  std::string offer(std::string png);

 private:
  std::jthread thread_;  ///< answers programs that paste
};

}  // namespace warpbook::gui
