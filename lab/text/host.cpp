#include "lab/text/host.hpp"

#include <ctime>
#include <fstream>

namespace warpbook::lab {

const std::string& cpu_name() {
  static const std::string name = [] {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
      if (!line.starts_with("model name")) continue;
      const std::size_t colon = line.find(": ");
      if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
    }
    return std::string("this CPU");
  }();
  return name;
}

std::string now_iso() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace warpbook::lab
