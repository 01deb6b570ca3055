// The stand-in driver (tests/stand_in_cuda) in the place of libcuda.so.1, for as long as a test lasts.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

class StandIn {
 public:
  /// `orders` are the lines of its file; empty: it does what a driver does.
  explicit StandIn(const std::string& orders = {}) {
    std::filesystem::create_symlink(WARPBOOK_STAND_IN_CUDA, folder_.path() / "libcuda.so.1");
    order(orders);
    use(folder_.path().string());
  }
  /// No driver at all.
  struct Absent {};
  explicit StandIn(Absent) {
    // An empty file is no library, and stands before any that there is.
    folder_.write("libcuda.so.1", "");
    use(folder_.path().string());
  }
  ~StandIn() { ::setenv("LD_LIBRARY_PATH", before_.c_str(), 1); }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  void order(const std::string& orders) { folder_.write("fault", orders); }
  /// What it has not obeyed yet.
  [[nodiscard]] std::string orders_left() const {
    std::ifstream file(folder_.path() / "fault");
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  void use(const std::string& folder) {
    if (const char* path = std::getenv("LD_LIBRARY_PATH")) before_ = path;
    ::setenv("LD_LIBRARY_PATH", (before_.empty() ? folder : folder + ":" + before_).c_str(), 1);
  }
  TemporaryFolder folder_;
  std::string before_;
};

}  // namespace warpbook::tests
