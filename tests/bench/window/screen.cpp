#include "tests/bench/window/screen.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/temporary_folder.hpp"

namespace warpbook::bench {
namespace {
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A program that ends with this object.
class Program {
 public:
  /// `keep_open`: a file descriptor that it inherits; below 0: none.
  explicit Program(const std::vector<std::string>& words, int keep_open = -1) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    id_ = ::fork();
    if (id_ != 0) return;
    if (keep_open >= 0) ::fcntl(keep_open, F_SETFD, 0);
    const int quiet = ::open("/dev/null", O_WRONLY);
    ::dup2(quiet, STDERR_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Program() {
    ::kill(id_, SIGTERM);
    ::waitpid(id_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Processor time so far, in seconds.
  [[nodiscard]] double processor_seconds() const {
    const std::string all = text_of("/proc/" + std::to_string(id_) + "/stat");
    std::istringstream rest(all.substr(std::min(all.size(), all.rfind(')') + 2)));
    const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
    constexpr std::size_t kUser = 11, kSystem = 12;  // behind the name; proc(5)
    if (fields.size() <= kSystem) return 0;
    return (std::stod(fields[kUser]) + std::stod(fields[kSystem])) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  [[nodiscard]] double megabytes() const {
    const std::string all = text_of("/proc/" + std::to_string(id_) + "/smaps_rollup");
    const std::size_t at = all.find("\nPss:");
    return at == std::string::npos ? 0 : std::stod(all.substr(at + 5)) / 1024;
  }

 private:
  pid_t id_ = -1;
};

/// Whether most of the screen shows something: the server begins with black, and no theme's page is black.
bool is_painted(const std::filesystem::path& screen) {
  constexpr std::size_t kHeader = 100'000, kStride = 40'009;  // bytes, over all rows and columns
  const std::string pixels = text_of(screen);
  std::size_t seen = 0, looked = 0;
  for (std::size_t at = kHeader; at < pixels.size(); at += kStride) {
    ++looked;
    seen += pixels[at] != 0 ? 1 : 0;
  }
  return looked > 0 && 2 * seen > looked;
}

/// The number of the display that the server took, once it takes connections; empty where there is no server.
std::string display_of(int from_server) {
  std::string number;
  for (char c = 0; ::read(from_server, &c, 1) == 1 && c != '\n';) number += c;
  return number.empty() ? number : ":" + number;
}
}  // namespace

std::optional<OnScreen> measure_on_screen() {
  constexpr auto kPatience = 30s, kSettling = 8s, kRest = 10s;
  const tests::TemporaryFolder folder;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const Program server(
      {"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", "1440x900x24", "-fbdir",
       folder.path().string(), "-nolisten", "tcp", "-noreset"},
      ends[1]);
  ::close(ends[1]);
  const std::string display = display_of(ends[0]);
  ::close(ends[0]);
  if (display.empty()) return {};
  ::setenv("DISPLAY", display.c_str(), 1);
  ::setenv("WARPBOOK_HOME", (folder.path() / "home").c_str(), 1);
  OnScreen measured;
  const auto begin = Clock::now();
  const Program book({WARPBOOK_BINARY});
  while (!is_painted(folder.path() / "Xvfb_screen0") && Clock::now() < begin + kPatience)
    std::this_thread::sleep_for(10ms);
  measured.first_paint = std::chrono::duration<double>(Clock::now() - begin).count();
  std::this_thread::sleep_for(kSettling);
  const double before = book.processor_seconds();
  std::this_thread::sleep_for(kRest);
  measured.idle =
      (book.processor_seconds() - before) / std::chrono::duration<double>(kRest).count();
  measured.megabytes = book.megabytes();
  return measured;
}

}  // namespace warpbook::bench
