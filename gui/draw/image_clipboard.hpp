// Offers a picture to other programs through the X server's clipboard. (GLFW offers text alone.)
#pragma once

#include <memory>
#include <string>
#include <thread>

namespace warpbook::gui {

class ImageClipboard {
 public:
  /// Owns the clipboard from now on, until another program does or this ends. `png` is a whole file. Gives back
  /// why that cannot be; empty where it can.
  std::string offer(std::string png);

 private:
  std::jthread thread_;  ///< answers those who paste
};

}  // namespace warpbook::gui
