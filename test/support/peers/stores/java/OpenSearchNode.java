import java.nio.file.Path;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.transport.Netty4Plugin;

public final class OpenSearchNode extends Node {
  private OpenSearchNode(Environment environment) {
    super(environment, List.of(Netty4Plugin.class, PainlessPlugin.class, KNNPlugin.class), false);
  }
  public static void main(String[] arguments) throws Exception {
    Settings settings = Settings.builder()
        .put("path.home", arguments[0])
        .put("http.port", arguments[1])
        .put("network.host", "127.0.0.1")
        .put("transport.port", arguments[2])
        .put("discovery.type", "single-node")
        .put("node.name", "test")
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    new OpenSearchNode(new Environment(settings, Path.of(arguments[0], "config"))).start();
    System.out.println("started");
    Thread.currentThread().join();
  }
}
