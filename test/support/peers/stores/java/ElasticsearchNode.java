import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

public final class ElasticsearchNode {
  public static void main(String[] arguments) throws Exception {
    LogConfigurator.configureESLogging();
    Settings settings = Settings.builder()
        .put("path.home", arguments[0])
        .put("http.port", arguments[1])
        .put("network.host", "127.0.0.1")
        .put("transport.port", arguments[2])
        .put("discovery.type", "single-node")
        .put("node.name", "test")
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    Environment environment = new Environment(settings, Path.of(arguments[0], "config"));
    PluginsLoader loader = PluginsLoader.createPluginsLoader(PluginsLoader.loadModulesBundles(environment.modulesDir()), Set.of(), Map.of(), false);
    new Node(environment, loader).start();
    System.out.println("started");
    Thread.currentThread().join();
  }
}
